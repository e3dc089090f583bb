# kubelet itself. Without an API server (lib/cluster.sh) it runs the pods whose manifests lie in a folder.

manifests=$temp/manifests
seen=$temp/seen

start_kubelet() { # [OPTION…]
	mkdir -p "$manifests" "$seen" "$temp/kubelet"
	make_cgroup
	spare_the_machine
	kubelet_config >"$temp/kubelet.json"
	start kubelet kubelet --config "$temp/kubelet.json" --root-dir "$temp/kubelet" \
		--cert-dir "$temp/kubelet/pki" --hostname-override n1 "$@"
}

# Pods go below a control group of the lab's, which kubelet wants to find in every hierarchy.
make_cgroup() {
	local tops=(/sys/fs/cgroup)

	[[ -e /sys/fs/cgroup/cgroup.controllers ]] || tops=(/sys/fs/cgroup/*)
	mkdir -p "${tops[@]/%//$POD_DNS_LAB}"
}

# Kubelet sets six knobs of the whole machine: here it reads that they are set, and leaves them alone.
spare_the_machine() {
	local knob value

	while read -r knob value; do
		echo "$value" >"$temp/kubelet/${knob//\//.}"
		mount --bind "$temp/kubelet/${knob//\//.}" "/proc/sys/$knob"
	done <<-END
		vm/overcommit_memory 1
		vm/panic_on_oom 0
		kernel/panic 10
		kernel/panic_on_oops 1
		kernel/keys/root_maxkeys 1000000
		kernel/keys/root_maxbytes 25000000
	END
}

kubelet_config() {
	jq -n --arg manifests "$manifests" --arg socket "unix://$cri_socket" --arg cgroup "/$POD_DNS_LAB" \
		--arg temp "$temp" '{
		apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration",
		staticPodPath: $manifests, containerRuntimeEndpoint: $socket,
		podLogsDir: ($temp + "/podlogs"), volumePluginDir: ($temp + "/volume-plugins"),
		clusterDNS: ["10.96.0.10"], clusterDomain: "cluster.local", resolvConf: "/etc/resolv.conf",
		cgroupDriver: "cgroupfs", cgroupRoot: $cgroup, enforceNodeAllocatable: [],
		failSwapOn: false, failCgroupV1: false, localStorageCapacityIsolation: false,
		authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
		authorization: { mode: "AlwaysAllow" },
		address: "127.0.0.1", readOnlyPort: 0, healthzPort: 0, oomScoreAdj: 0,
		evictionHard: { "memory.available": "1Mi", "nodefs.available": "0%", "imagefs.available": "0%" },
		imageGCHighThresholdPercent: 100, fileCheckFrequency: "1s", syncFrequency: "1s"
	}'
}

# Its one container keeps the first thing it reads of its /etc/resolv.conf in seen/NAME.
static_pod() { # NAME [SPEC [ANNOTATIONS]]: parts of the pod in JSON
	pod_manifest "$@" >"$temp/manifest"
	mv "$temp/manifest" "$manifests/$1.json"
}

pod_manifest() { # NAME [SPEC [ANNOTATIONS]]
	jq -n --arg name "$1" --argjson spec "${2:-{\}}" --argjson annotations "${3:-{\}}" --arg image "$image" \
		--arg seen "$seen" '{
		apiVersion: "v1", kind: "Pod",
		metadata: { name: $name, namespace: "shop", annotations: $annotations },
		spec: ({
			terminationGracePeriodSeconds: 0,
			volumes: [{ name: "seen", hostPath: { path: $seen } }],
			containers: [{
				name: "main", image: $image, imagePullPolicy: "Never",
				volumeMounts: [{ name: "seen", mountPath: "/seen" }],
				command: ["/bin/sh", "-c", ("cp /etc/resolv.conf /seen/." + $name +
					" && mv /seen/." + $name + " /seen/" + $name + "; exec sleep infinity")]
			}]
		} + $spec)
	}'
}

# Kubelet ends the pods whose manifests have gone; the runtime removes a namespace when all plugins have had their DEL.
end_pods() {
	rm -f "$manifests"/*.json
	within 60 no_namespaces || fail "kubelet did not end the pods"
}

no_namespaces() {
	[[ -z $(ls -A /run/netns) ]]
}

# What each pod is expected to read first.
declare -A want
cluster_first='shop.svc.cluster.local svc.cluster.local cluster.local node.example'
expect() { # NAME SEARCHES SERVERS OPTIONS
	want[$1]=$(resolv_conf "$2" "$3" "$4")
}

make_pods() {
	static_pod first
	expect first "$cluster_first" 10.96.0.10 ndots:2
	static_pod first-host-policy '{ "dnsPolicy": "ClusterFirstWithHostNet" }'
	expect first-host-policy "$cluster_first" 10.96.0.10 ndots:2
	static_pod tuned '{ "dnsConfig": { "nameservers": ["192.0.2.7"], "searches": ["team.example"],
		"options": [{ "name": "ndots", "value": "1" }] } }'
	expect tuned "$cluster_first team.example" "10.96.0.10 192.0.2.7" ndots:1
	static_pod node '{ "dnsPolicy": "Default" }'
	expect node node.example 192.0.2.53 ""
	static_pod own '{ "dnsPolicy": "None", "dnsConfig": { "nameservers": ["192.0.2.1"], "searches": ["a.example"],
		"options": [{ "name": "ndots", "value": "3" }] } }'
	expect own a.example 192.0.2.1 ndots:3
	static_pod asks-default '{}' '{ "pod-dns/policy": "Default" }'
	expect asks-default node.example 192.0.2.53 ""
	static_pod asks-keep '{}' '{ "pod-dns/policy": "Keep" }'
	expect asks-keep "$cluster_first" 10.96.0.10 ndots:5
	static_pod asks-first '{ "dnsPolicy": "Default" }' '{ "pod-dns/policy": "ClusterFirst" }'
	expect asks-first "$cluster_first" 10.96.0.10 ndots:2
}

# On the host's network no plugin is called: kubelet's own text stays.
make_host_pods() {
	static_pod host '{ "hostNetwork": true }'
	expect host node.example 192.0.2.53 ""
	static_pod host-first '{ "hostNetwork": true, "dnsPolicy": "ClusterFirstWithHostNet" }'
	expect host-first "$cluster_first" 10.96.0.10 ndots:5
}

all_have_read() {
	local name

	for name in "${!want[@]}"; do
		[[ -e $seen/$name ]] || return 1
	done
}

read_first_as_expected() {
	local name

	within 90 all_have_read || fail "only these pods have run: $(echo "$seen"/*)"
	for name in "${!want[@]}"; do
		is "what pod $name read first" "${want[$name]}" "$(cat "$seen/$name")"
	done
}

# What the pod's author sees in the pod's events is what kubelet logs.
a_refusal_reaches_the_event() {
	within 30 grep -q 'pod-dns/config.*shop/refused' "$temp/kubelet.log" ||
		is "kubelet's words on the refused pod" "a line that names pod-dns/config" ""
	is "the refused pod has not run" "" "$(find "$seen" -name refused)"
}

# Pods of all policies, and one that is refused.
every_policy() {
	make_pods
	make_host_pods
	static_pod refused '{}' '{ "pod-dns/config": "{\"searches\":[\"a.example\"]}" }'
	read_first_as_expected
	is "one record for each pod that has a network of its own" 8 "$(find /run/pod-dns/lab -name '*.json' | wc -l)"
	a_refusal_reaches_the_event
}
