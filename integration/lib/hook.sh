# `pod-dns hook` under containerd, as conf/hooks/containerd says; wait_for_hook is the scenario's.

searches='shop.svc.cluster.local svc.cluster.local cluster.local node.example'
kubelets=$(dns_config "$searches" 10.96.0.10 ndots:5)
theirs=$(resolv_conf "$searches" 10.96.0.10 ndots:5)
ours=$(resolv_conf "$searches" 10.96.0.10 ndots:2)
with_off="$capabilities, $cluster, \"rules\": [{ \"pods\": [\"off-*\"], \"mode\": \"off\" }]"
show_and_wait='cat /etc/resolv.conf; exec sleep infinity'

make_base_spec() {
	base_spec=$temp/base-spec.json
	ctr oci spec | jq -f "$here/../conf/hooks/containerd/base-spec.jq" --arg pod_dns "$cni_bin/pod-dns" >"$base_spec"
}

# A pod whose file nothing but the hook will write.
waiting_pod() { # NAME
	run_pod shop "$1" "$kubelets"
	wait_for_hook "$1"
	is "the record of pod $1" pending "$(jq -r .late "$(record_file "$1")")"
	is "the file of pod $1" "$theirs" "$(cat "$(runtime_file "$1")")"
}

says_line() { # POD CONTAINER
	[[ $(printed "$1" "$2" 2>/dev/null) == *options* ]]
}

reads_first() { # POD CONTAINER TEXT
	run_container "$1" "$2" sh -c "$show_and_wait"
	ok "container $1/$2 runs" within 5 says_line "$1" "$2"
	is "what container $1/$2 reads first" "$3" "$(printed "$1" "$2")"
}

before_the_workload() {
	waiting_pod web
	reads_first web first "$ours"
	is "the record" written "$(jq -r .late "$(record_file web)")"
	reads_first web second "$ours"
	in_container web/first sh -c 'echo options own >/etc/resolv.conf'
	reads_first web third "options own"
	end_pod web
}

# Files that are the pod's own choice, and pods that pod-dns has no word on.
what_is_not_ours() {
	local own=$temp/own.conf

	printf 'nameserver 192.0.2.9\noptions ndots:9\n' >"$own"
	waiting_pod mount
	mounts="mounts { container_path: \"/etc/resolv.conf\" host_path: \"$own\" }" reads_first mount main "$(cat "$own")"
	is "the file of the pod" "$theirs" "$(cat "$(runtime_file mount)")"
	end_pod mount
	run_pod shop off-1 "$kubelets"
	is "a record of a pod whose mode is off" "" "$(ls /run/pod-dns/lab 2>/dev/null)"
	reads_first off-1 main "$theirs"
	end_pod off-1
	ok "a container that is no pod's" "$POD_DNS" hook \
		<<<'{ "ociVersion": "1.0.2", "id": "c", "status": "creating", "pid": 1, "bundle": "/nonexistent" }'
}

# A pod's event shows what containerd says of runc, runc of the hook, and the hook of the file.
is_refused() { # POD CONTAINER WORDS
	local said

	said=$(run_container "$1" "$2" touch /seen 2>&1) && unlike "container $1/$2" "a refusal" "it runs"
	like "the words that refuse it" "*hook #0*pod-dns: hook: *$3*" "$said"
}

failure_keeps_it_from_starting() {
	waiting_pod fails
	chmod 0777 /run/pod-dns
	is_refused fails first /run/pod-dns
	chmod 0700 /run/pod-dns
	is "the file then" "$theirs" "$(cat "$(runtime_file fails)")"
	reads_first fails second "$ours"
	end_pod fails
}

# Whoever has changed the file since the runtime wrote it meant to: a container of the pod itself may have.
changed_files_are_left() {
	waiting_pod changed
	printf 'nameserver 192.0.2.9\noptions ndots:9\n' >"$(runtime_file changed)"
	reads_first changed first "$(printf 'nameserver 192.0.2.9\noptions ndots:9')"
	is "the record" missed "$(jq -r .late "$(record_file changed)")"
	end_pod changed
}

# The whole of a container's spec but the hook, and what differs from one container to the next.
spec_of() { # POD CONTAINER
	local id=${container[$1/$2]}

	jq -S 'del(.hooks)' "/run/containerd/io.containerd.runtime.v2.task/k8s.io/$id/config.json" |
		sed "s/$id/C/g; s/${sandbox[$1]}/S/g; s/cni-[0-9a-f-]*/N/g; s|/proc/[0-9]*/|/proc/P/|g; /uid-/d"
}

keep_spec() { # AS
	run_pod shop off-limits "$kubelets"
	run_container off-limits main sleep infinity
	spec_of off-limits main >"$temp/spec-$1"
	in_container off-limits/main sh -c 'ulimit -n' >"$temp/limit-$1"
	end_pod off-limits
}

# The recipe changes nothing else: not the limits, the capabilities, the mounts, the devices.
same_spec_but_for_the_hook() {
	same "a container's spec without the hook" "$temp/spec-without" "$temp/spec-with"
	same "the open files of a container" "$temp/limit-without" "$temp/limit-with"
}
