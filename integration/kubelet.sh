# kubelet itself, without an API server: it runs the pods whose manifests lie in a folder.

manifests=$temp/manifests
seen=$temp/seen

start_kubelet() {
	mkdir -p "$manifests" "$seen" "$temp/kubelet"
	make_cgroup
	spare_the_machine
	kubelet_config >"$temp/kubelet.json"
	start kubelet kubelet --config "$temp/kubelet.json" --root-dir "$temp/kubelet" \
		--cert-dir "$temp/kubelet/pki" --hostname-override n1
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
	}' >"$temp/manifest"
	mv "$temp/manifest" "$manifests/$1.json"
}

# Kubelet ends the pods whose manifests have gone; the runtime removes a namespace when all plugins have had their DEL.
end_pods() {
	rm -f "$manifests"/*.json
	within 60 no_namespaces || fail "kubelet did not end the pods"
}

no_namespaces() {
	[[ -z $(ls -A /run/netns) ]]
}
