# A node: containerd with its own root, state, sockets and CNI folders, and one image made of busybox alone. It is the
# machine's containerd 1.6, or 2.x where the scenario has said `tools containerd plugins` before `lab`.

cri_socket=$temp/containerd.sock
containerd_root=$temp/containerd
image=localhost/busybox:lab
cni_bin=$temp/cni-bin
cni_plugins=${tool_path:+$tool_path:}/usr/lib/cni
base_spec= # a base_runtime_spec, for the hook
declare -A handler_net # the CNI folders of more runtime handlers, by their names

start_node() {
	local name

	mkdir -p "$cni_bin" "$net"
	for name in bridge host-local loopback; do
		ln -sf "$(PATH=$cni_plugins type -P $name)" "$cni_bin/"
	done
	ln -sf "$POD_DNS" "$cni_bin/"
	start_containerd
	make_image
}

start_containerd() {
	containerd_config >"$temp/containerd.toml"
	start containerd containerd -c "$temp/containerd.toml"
	within 20 containerd_answers || fail "containerd does not answer"
}

containerd_answers() {
	[[ -S $cri_socket ]] && cri Version </dev/null &>/dev/null
}

is_containerd2() {
	[[ $(containerd --version) == *" 2."* ]]
}

# The newest CNI that the node's runtime and plugins speak.
newest_cni() {
	if is_containerd2; then echo 1.1.0; else echo 1.0.0; fi
}

containerd_config() {
	local version=2 plugin=io.containerd.grpc.v1.cri own="sandbox_image = \"$image\"" bin="bin_dir = \"$cni_bin\""

	if is_containerd2; then
		version=3 plugin=io.containerd.cri.v1.runtime own= bin="bin_dirs = [\"$cni_bin\"]"
	fi
	cat <<-END
		version = $version
		root = "$containerd_root"
		state = "/run/containerd"
		disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.tracing.processor.v1.otlp",
			"io.containerd.nri.v1.nri"]
		[debug]
		level = "warn"
		[grpc]
		address = "$cri_socket"
		[plugins."io.containerd.cri.v1.images".pinned_images]
		sandbox = "$image"
		[plugins."$plugin"]
		$own
		restrict_oom_score_adj = true
		disable_apparmor = true
		[plugins."$plugin".cni]
		$bin
		conf_dir = "$net"
		[plugins."$plugin".containerd.runtimes.runc]
		runtime_type = "io.containerd.runc.v2"
		base_runtime_spec = "$base_spec"
		$(other_handlers)
	END
}

# More runtime handlers, each with a network of its own.
other_handlers() {
	local name

	for name in "${!handler_net[@]}"; do
		cat <<-END
			[plugins."$plugin".containerd.runtimes.$name]
			runtime_type = "io.containerd.runc.v2"
			cni_conf_dir = "${handler_net[$name]}"
		END
	done
}

# Another network configuration: containerd reads it when it starts.
network() { # [KEYS_OF_POD_DNS]
	write_conflist "$(newest_cni)" "${1:-}"
	stop containerd
	start_containerd
}

# The file that every container of the pod has as its /etc/resolv.conf.
runtime_file() { # POD
	echo "$containerd_root/io.containerd.grpc.v1.cri/sandboxes/${sandbox[$1]}/resolv.conf"
}

record_file() { # POD
	echo "/run/pod-dns/lab/${sandbox[$1]}@eth0.json"
}

record_says() { # POD JQ_PATH VALUE: now
	[[ $(jq -r "$2" "$(record_file "$1")" 2>/dev/null) == "$3" ]]
}

end_pod() { # POD
	stop_pod "$1"
	remove_pod "$1"
	nothing_left "of pod $1"
}

pod_is_refused() { # NAME WORDS DNS_CONFIG ANNOTATION=VALUE…
	local said

	said=$(run_pod shop "$1" "${@:3}" 2>&1) && unlike "pod $1" "a refusal" "a sandbox"
	like "the words that refuse pod $1" "*pod-dns*$2*" "$said"
	nothing_left "of pod $1"
}

blob() { # FILE: into the image; prints its digest
	local digest

	digest=$(sha256sum "$1" | cut -d ' ' -f 1)
	mv "$1" "$temp/image/blobs/sha256/$digest"
	echo "sha256:$digest"
}

descriptor() { # TYPE DIGEST: how one blob names another
	jq -cn --arg type "application/vnd.oci.image.$1" --arg digest "$2" \
		--argjson size "$(stat -c %s "$temp/image/blobs/${2/://}")" \
		'{ mediaType: $type, digest: $digest, size: $size }'
}

# busybox under all its names, and whatever the caller has put into $temp/root before.
make_image() {
	mkdir -p "$temp"/root/{bin,etc,proc,sys,dev,tmp}
	cp /usr/bin/busybox "$temp/root/bin/"
	busybox --list | grep -vx busybox | xargs -I {} ln -sf busybox "$temp/root/bin/{}"
	import_image "$image" "$temp/root" '{ "Entrypoint": ["/bin/sleep", "infinity"], "Env": ["PATH=/bin"] }'
}

# An image of one layer, for the runtime.
import_image() { # NAME FOLDER CONFIG_IN_JSON
	local layer config manifest

	rm -rf "$temp/image"
	mkdir -p "$temp/image/blobs/sha256"
	tar -C "$2" --sort=name --mtime=@0 --owner=0 --group=0 -cf "$temp/layer" .
	layer=$(blob "$temp/layer")
	jq -n --arg arch "$(dpkg --print-architecture)" --arg layer "$layer" --argjson config "$3" '{
		architecture: $arch, os: "linux", rootfs: { type: "layers", diff_ids: [$layer] }, config: $config
	}' >"$temp/config"
	config=$(blob "$temp/config")
	jq -n --argjson config "$(descriptor config.v1+json "$config")" \
		--argjson layer "$(descriptor layer.v1.tar "$layer")" \
		'{ schemaVersion: 2, config: $config, layers: [$layer] }' >"$temp/manifest"
	manifest=$(blob "$temp/manifest")
	jq -n --argjson manifest "$(descriptor manifest.v1+json "$manifest")" --arg name "$1" '{
		schemaVersion: 2,
		manifests: [$manifest + { annotations: { "io.containerd.image.name": $name } }]
	}' >"$temp/image/index.json"
	echo '{ "imageLayoutVersion": "1.0.0" }' >"$temp/image/oci-layout"
	tar -C "$temp/image" -cf "$temp/image.tar" .
	ctr -a "$cri_socket" -n k8s.io images import "$temp/image.tar" >/dev/null
}
