# ctr oci spec | jq -f base-spec.jq --arg pod_dns /opt/cni/bin/pod-dns
#
# What the containers of a runtime handler start from: containerd's own spec, and pod-dns as createRuntime hook.
# The limits go: containerd would give each container the RLIMIT_NOFILE of 1024 that `ctr oci spec` prints.
del(.process.rlimits) |
	.hooks.createRuntime += [{ path: $pod_dns, args: ["pod-dns", "hook"], timeout: 10 }]
