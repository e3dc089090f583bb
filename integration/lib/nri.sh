# pod-dns-nri beside containerd 2.x, whose NRI it connects to. Needs cni.sh, cri.sh, node.sh, gate.sh.

nri_socket=/var/run/nri/nri.sock
searches='shop.svc.cluster.local svc.cluster.local cluster.local node.example'
kubelets=$(dns_config "$searches" 10.96.0.10 ndots:5)
theirs=$(resolv_conf "$searches" 10.96.0.10 ndots:5)
ours=$(resolv_conf "$searches" 10.96.0.10 ndots:2)

# The configuration of lib/node.sh, with NRI.
eval "$(declare -f containerd_config | sed '1s/containerd_config/containerd_config_without_nri/')"
nri_validator= # lines of the default validator
containerd_config() {
	containerd_config_without_nri | sed '/io\.containerd\.nri\.v1\.nri/s/.*/]/; s/otlp",$/otlp"/'
	cat <<-END
		[plugins."io.containerd.nri.v1.nri"]
		disable = false
		socket_path = "$nri_socket"
		plugin_path = "$temp/nri-plugins"
		plugin_config_path = "$temp/nri-conf"
		$nri_validator
	END
}

# With the capabilities that the unit leaves.
start_nri() {
	local capabilities

	capabilities=$(sed -n 's/^CapabilityBoundingSet=//p' "$here/../conf/systemd/pod-dns-nri.service")
	capabilities=${capabilities//CAP_/+}
	start nri setpriv --no-new-privs --bounding-set "-all,$(tr ' A-Z' ',a-z' <<<"$capabilities")" \
		"$POD_DNS_NRI" --socket "$nri_socket" --conf-dir "$net"
	ok "pod-dns-nri is connected" within 10 nri_serves
}

# Stamped by the program while the runtime tells it of pods.
nri_serves() {
	local stamp

	stamp=$(stat -c %Y /run/pod-dns/.nri 2>/dev/null) && ((stamp > 0)) && [[ $(jq -r .runtime /run/pod-dns/.nri) ]]
}

nri_rests() {
	! nri_serves
}

nri_count() { # KEY
	jq -r ".$1" /run/pod-dns/.nri
}

says_line() { # POD CONTAINER
	[[ $(printed "$1" "$2" 2>/dev/null) == *options* ]]
}

# The container's first act is to read the file.
reads_first() { # POD CONTAINER TEXT
	run_container "$1" "$2" sh -c 'cat /etc/resolv.conf; exec sleep infinity'
	ok "container $1/$2 runs" within 20 says_line "$1" "$2"
	is "what container $1/$2 reads first" "$3" "$(printed "$1" "$2")"
}
