# Network configurations, network namespaces, and calls of the plugin as a runtime makes them.

net=$temp/net.d
cluster='"clusterDNS": ["10.96.0.10"], "dnsConfig": { "options": [{ "name": "ndots", "value": "2" }] }'
searches='default.svc.cluster.local svc.cluster.local cluster.local node.example'
capabilities='"capabilities": { "dns": true, "io.kubernetes.cri.pod-annotations": true }'

bridge_and_host_local='{
	"type": "bridge", "bridge": "pdt0", "isGateway": true,
	"ipam": { "type": "host-local", "dataDir": "'$temp'/ipam",
		"ranges": [[{ "subnet": "10.88.0.0/16" }]], "routes": [{ "dst": "0.0.0.0/0" }] }
}'

# The text that ADD is expected to write, line by line as Kubernetes' runtimes write it.
resolv_conf() { # SEARCHES SERVERS OPTIONS
	local server

	[[ -z $1 ]] || echo "search $1"
	for server in $2; do
		echo "nameserver $server"
	done
	[[ -z $3 ]] || echo "options $3"
}

write_conflist() { # CNI_VERSION [KEYS_OF_POD_DNS]: without the keys, without pod-dns
	mkdir -p "$net"
	jq -n --arg version "$1" --argjson bridge "$bridge_and_host_local" --argjson ours "{ ${2:-} }" '{
		cniVersion: $version, name: "lab",
		plugins: ([$bridge] + if $ours == {} then [] else [{ type: "pod-dns" } + $ours] end)
	}' >"$net/10-lab.conflist"
}

# What a runtime gives the plugin on stdin, in a line. It is put together as text: jq takes longer to start than ADD.
as_stdin() { # KEYS_OF_POD_DNS CNI_VERSION NETWORK PREV_RESULT
	local stdin='{ "cniVersion": "'$2'", "name": "'$3'", "type": "pod-dns", "prevResult": '"$4${1:+, $1}"' }'

	echo "${stdin//$'\n'/ }"
}

# After bridge has run.
previous='"interfaces": [{ "name": "eth0", "sandbox": "/run/netns/any" }],
	"ips": [{ "address": "10.88.0.2/16", "interface": 0 }]'
config() { # [KEYS_OF_POD_DNS [CNI_VERSION [NETWORK]]]
	as_stdin "${1:-$cluster}" "${2:-1.1.0}" "${3:-lab}" '{ "cniVersion": "'"${2:-1.1.0}"'", '"$previous"' }'
}

# Stdin is the configuration; the environment may hold more, CNI_ARGS for one; under is what it runs under.
under=(timeout 20)
plugin() { # COMMAND CONTAINER NETNS
	CNI_COMMAND=$1 CNI_CONTAINERID=$2 CNI_NETNS=$3 CNI_IFNAME=eth0 CNI_PATH=/nonexistent \
		"${under[@]}" "$POD_DNS"
}

add() { # CONTAINER NETNS [KEYS_OF_POD_DNS]
	config "${@:3}" | plugin ADD "$1" "$2"
}

del() { # CONTAINER NETNS
	config | plugin DEL "$1" "$2"
}

gc() { # [JSON_LIST_OF_ATTACHMENTS]: the attachments that are still valid, none unless told
	config "$cluster, \"cni.dev/valid-attachments\": ${1:-[]}" | plugin GC "" ""
}

# The host's own resolver file is never written: bytes, inode and times stay.
remember_host() {
	cp /etc/resolv.conf "$temp/host"
	stat -Lc '%d %i %h %a %s %y %z' /etc/resolv.conf >"$temp/host-stat"
}

host_is_unchanged() { # WHEN
	same "the host's file $1" "$temp/host" /etc/resolv.conf
	is "the host's file's inode and times $1" "$(cat "$temp/host-stat")" \
		"$(stat -Lc '%d %i %h %a %s %y %z' /etc/resolv.conf)"
}

# A process that does nothing in namespaces of its own: holding NAME UNSHARE_OPTION… sets pid[NAME].
declare -A pid
holding() {
	start "$1" unshare "${@:2}" sleep infinity
	pid[$1]=${daemon[$1]}
	within 5 is_apart "${pid[$1]}" || fail "no process in namespaces of its own"
}

is_apart() {
	[[ $(readlink "/proc/$1/exe") == */sleep ]]
}

# Everything below /etc but our own folder, with inodes and times.
etc_now() {
	find /etc -mindepth 1 -path /etc/netns -prune -o -printf '%p %i %s %T+ %C+\n' | sort
}

error_is() { # WHAT CODE TEXT: one CNI error object and nothing else
	is "$1: one error object with code $2" "true" "$(jq -s --argjson code "$2" \
		'length == 1 and (.[0] | .code == $code and (.msg | type == "string" and . != "") and
		(.cniVersion | type == "string"))' <<<"$3" 2>&1)"
}
