# A node: containerd with its own root, state, sockets and CNI folders, and one image made of busybox alone.

cri_socket=$temp/containerd.sock
image=localhost/busybox:lab
cni_bin=$temp/cni-bin

start_node() {
	mkdir -p "$cni_bin" "$net"
	ln -sf /usr/lib/cni/{bridge,host-local,loopback} "$POD_DNS" "$cni_bin/"
	containerd_config >"$temp/containerd.toml"
	start_containerd
	make_image
	ctr -a "$cri_socket" -n k8s.io images import "$temp/image.tar" >/dev/null
}

start_containerd() {
	start containerd containerd -c "$temp/containerd.toml"
	within 20 containerd_answers || fail "containerd does not answer"
}

containerd_answers() {
	[[ -S $cri_socket ]] && cri Version </dev/null &>/dev/null
}

containerd_config() {
	cat <<-END
		version = 2
		root = "$temp/containerd"
		state = "/run/containerd"
		disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.tracing.processor.v1.otlp"]
		[debug]
		level = "warn"
		[grpc]
		address = "$cri_socket"
		[plugins."io.containerd.grpc.v1.cri"]
		sandbox_image = "$image"
		restrict_oom_score_adj = true
		disable_apparmor = true
		[plugins."io.containerd.grpc.v1.cri".cni]
		bin_dir = "$cni_bin"
		conf_dir = "$net"
	END
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
	local layer config manifest

	mkdir -p "$temp"/root/{bin,etc,proc,sys,dev,tmp} "$temp/image/blobs/sha256"
	cp /usr/bin/busybox "$temp/root/bin/"
	busybox --list | grep -vx busybox | xargs -I {} ln -sf busybox "$temp/root/bin/{}"
	tar -C "$temp/root" --sort=name --mtime=@0 --owner=0 --group=0 -cf "$temp/layer" .
	layer=$(blob "$temp/layer")
	jq -n --arg arch "$(dpkg --print-architecture)" --arg layer "$layer" '{
		architecture: $arch, os: "linux", rootfs: { type: "layers", diff_ids: [$layer] },
		config: { Entrypoint: ["/bin/sleep", "infinity"], Env: ["PATH=/bin"] }
	}' >"$temp/config"
	config=$(blob "$temp/config")
	jq -n --argjson config "$(descriptor config.v1+json "$config")" \
		--argjson layer "$(descriptor layer.v1.tar "$layer")" \
		'{ schemaVersion: 2, config: $config, layers: [$layer] }' >"$temp/manifest"
	manifest=$(blob "$temp/manifest")
	jq -n --argjson manifest "$(descriptor manifest.v1+json "$manifest")" --arg name "$image" '{
		schemaVersion: 2,
		manifests: [$manifest + { annotations: { "io.containerd.image.name": $name } }]
	}' >"$temp/image/index.json"
	echo '{ "imageLayoutVersion": "1.0.0" }' >"$temp/image/oci-layout"
	tar -C "$temp/image" -cf "$temp/image.tar" .
}
