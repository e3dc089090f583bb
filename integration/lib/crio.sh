# CRI-O 1.34.11's calls as they were recorded over kubelet, from a process of its name that holds what it holds.

recording=$here/../tests/data/calls/crio-1.34.11.json
keys=$cluster
mkdir "$temp/said"

# Its root, where every sandbox has its file; it keeps the locks of its store open, and no folder of containerd's.
start_crio() { # RUNROOT
	runroot=$1
	mkdir -p "$runroot/overlay-containers" /run/netns
	cp /bin/bash "$temp/crio"
	touch "$runroot/overlay-containers/volatile-containers.lock"
	exec 9<"$runroot/overlay-containers/volatile-containers.lock"
	under=("$temp/crio" -c '"$@"; exit $?' crio)
}

# A call, its places those of the lab; AS is another sandbox of the same pod.
recorded() { # COMMAND [POD [AS]]
	jq -c --arg command "$1" --arg pod "${2:-}" --arg other "${3:-}" --arg root "$runroot" '
		first(.[] | select(.env.CNI_COMMAND == $command and
			($pod == "" or (.env.CNI_ARGS | contains("K8S_POD_NAME=" + $pod + "-n1;"))))) |
		del(.parent, .resolv_conf_at_this_moment) + { text: [.resolv_conf_at_this_moment[]?][0] } |
		.env.CNI_CONTAINERID as $id | (.env.CNI_NETNS | split("/")[-1]) as $netns |
		walk(if type == "string" then
			gsub("/node/ns/netns"; "/var/run/netns") | gsub("/node/cnibin"; "/opt/cni/bin") |
			if $other == "" then . else gsub($id; $other) | gsub($netns; $other) end
		else . end)' "$recording"
}

id_of() { # POD
	recorded ADD "$1" | jq -r .env.CNI_CONTAINERID
}

file_of() { # ID
	echo "$runroot/overlay-containers/$1/userdata/resolv.conf"
}

# Before ADD: the namespace, the file with kubelet's text, and shm mounted beside it, unless the pod is on hostIPC.
make_sandbox() { # POD [AS [hostIPC]]
	local call file

	call=$(recorded ADD "$@")
	file=$(file_of "$(jq -r .env.CNI_CONTAINERID <<<"$call")")
	mkdir -p "${file%/*}"
	install -d -m 0700 "${file%/*}/shm"
	jq -j .text <<<"$call" >"$file"
	[[ ${3:-} == hostIPC ]] || mount -t tmpfs -o mode=1777,size=64k shm "${file%/*}/shm"
	ip netns add "$(jq -r '.env.CNI_NETNS | split("/")[-1]' <<<"$call")"
}

remove_sandbox() { # POD [AS]
	local call file

	call=$(recorded ADD "$@")
	file=$(file_of "$(jq -r .env.CNI_CONTAINERID <<<"$call")")
	umount "${file%/*}/shm" 2>/dev/null || true
	rm -r "${file%/*/*}"
	ip netns del "$(jq -r '.env.CNI_NETNS | split("/")[-1]' <<<"$call")"
}

# What our ADD printed is prevResult of the calls after it, as libcni keeps it.
replay() { # COMMAND [POD [AS [EDIT_OF_STDIN]]]
	local kept=$temp/said/${2:-}-${3:-}

	recorded "$@" >"$temp/call"
	jq -r '.env | to_entries[] | .key + "=" + .value' "$temp/call" >"$temp/env"
	jq -r .stdin "$temp/call" | jq -c --argjson ours "{ $keys }" --slurpfile kept <(cat "$kept" 2>/dev/null) \
		--arg command "$1" '. + $ours | if ($command == "CHECK" or $command == "DEL") and $kept[0] then
			.prevResult = $kept[0] else . end | '"${4:-.}" >"$temp/stdin"
	if [[ $1 == ADD ]]; then
		as_prepared "$temp/env" <"$temp/stdin" | tee "$kept"
	else
		as_prepared "$temp/env" <"$temp/stdin"
	fi
}

as_prepared() { # FILE_OF_ENVIRONMENT
	local env

	mapfile -t env <"$1"
	env "${env[@]}" "${under[@]}" "$POD_DNS"
}

# The recorded pod asks for policy None and names no server: asked for by hand only.
asks_nothing='del(.runtimeConfig["io.kubernetes.cri.pod-annotations"]["pod-dns/policy"])'
asks() { # NAME VALUE: an edit of stdin
	jq -nr --arg name "pod-dns/$1" --arg value "$2" '
		".runtimeConfig[\"io.kubernetes.cri.pod-annotations\"] = " + ({ ($name): $value } | tojson)'
}
