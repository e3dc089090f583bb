# Pods whose files `pod-dnsctl apply` rewrites: those of a CRI runtime, made by hand. Needs cni.sh.

sandboxes=/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes

conflist() { # KEYS: replaced by rename, as installers do
	write_conflist 1.1.0 "$1, $capabilities"
}

# The node's file, replaced by rename.
node_is() { # SERVER
	printf 'nameserver %s\nsearch node.example\n' "$1" >/etc/.resolv.new
	mv /etc/.resolv.new /etc/resolv.conf
}

file_of() { # POD
	echo "$sandboxes/$1/resolv.conf"
}

# A pod whose file kubelet and the runtime have made.
cri_pod() { # NAME KEYS [TEXT]
	ip netns add "pdt-$1"
	mkdir -p "$sandboxes/$1"
	echo "${3:-$(resolv_conf "$searches" 10.96.0.10 ndots:5)}" >"$(file_of "$1")"
	CNI_ARGS="K8S_POD_INFRA_CONTAINER_ID=$1;K8S_POD_NAMESPACE=default;K8S_POD_NAME=$1" \
		ok "add of $1" add "$1" "/run/netns/pdt-$1" "$2"
}

# A pod of no CRI runtime: the file of its namespace.
plain_pod() { # NAME KEYS
	ip netns add "pdt-$1"
	ok "add of $1" add "$1" "/run/netns/pdt-$1" "$2"
}

apply() { # OPTION…
	"$POD_DNSCTL" apply --conf-dir "$net" "$@"
}

# What changes from then on is seen.
start_watch() {
	start watch "$POD_DNSCTL" apply --all --watch --conf-dir "$net"
	within 10 watch_follows || fail "apply --watch follows no file"
}

watch_follows() {
	grep -qs inotify "/proc/${daemon[watch]}/fdinfo"/*
}
