# Pods that ran before pod-dns was chained: the runtime's file, the namespace, and libcni's cache. Needs apply.sh.

# What containerd's plugins were told, as libcni keeps it.
libcni_entry() { # POD SEARCHES SERVERS OPTIONS
	mkdir -p /var/lib/cni/results
	jq -cn --arg id "$1" --arg searches "$2" --arg servers "$3" --arg options "$4" '{
		kind: "cniCacheV1", containerId: $id, ifName: "eth0", networkName: "lab",
		cniArgs: [["IgnoreUnknown", "1"], ["K8S_POD_NAMESPACE", "default"], ["K8S_POD_NAME", $id],
			["K8S_POD_INFRA_CONTAINER_ID", $id]],
		capabilityArgs: { dns: { Servers: ($servers / " "), Searches: ($searches / " " - [""]),
			Options: ($options / " " - [""]) } },
		result: { cniVersion: "1.1.0", interfaces: [{ name: "eth0", sandbox: "/run/netns/pdt-\($id)" }],
			ips: [{ address: "10.88.0.2/16", interface: 0 }] }
	}' >"/var/lib/cni/results/lab-$1-eth0"
}

running_pod() { # NAME SEARCHES SERVERS OPTIONS
	ip netns add "pdt-$1"
	mkdir -p "$sandboxes/$1"
	resolv_conf "$2" "$3" "$4" >"$(file_of "$1")"
	libcni_entry "$@"
}
