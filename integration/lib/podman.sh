# Debian's podman. Its stores, sockets and state are at their usual places, which in the lab are the lab's own.

image=localhost/busybox:lab
export HOME=$temp CONTAINERS_CONF=$temp/containers.conf

# cgroup_manager to default_ulimits: what it needs where there is no systemd, and no CAP_SYS_RESOURCE. Locks in
# files: the others would be in the machine's /dev/shm.
start_podman() { # NETWORK_BACKEND [RUNTIME]
	cat >"$CONTAINERS_CONF" <<-END
		[network]
		network_backend = "$1"
		cni_plugin_dirs = ["$temp/bin", "/usr/lib/cni"]
		[engine]
		runtime = "${2:-runc}"
		cgroup_manager = "cgroupfs"
		events_logger = "file"
		lock_type = "file"
		hooks_dir = ["/etc/containers/oci/hooks.d"]
		[containers]
		default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
	END
	mkdir -p "$temp/bin" /etc/containers/oci/hooks.d
	ln -sf "$POD_DNS" "$temp/bin/pod-dns"
	podman image exists "$image" || import_image
}

# busybox under all its names.
import_image() {
	mkdir -p "$temp"/root/{bin,etc,proc,sys,dev,tmp}
	cp /usr/bin/busybox "$temp/root/bin/"
	busybox --list | grep -vx busybox | xargs -I {} ln -sf busybox "$temp/root/bin/{}"
	tar -C "$temp/root" -c . | podman import -q - "$image" >/dev/null
}

run() { # [PODMAN_OPTION…] -- COMMAND…: a container that is gone after its command
	local options=()

	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	shift
	podman run --rm --cgroup-parent "/$POD_DNS_LAB" "${options[@]}" "$image" "$@"
}

# What a container's process reads first of all.
first_read() { # [PODMAN_OPTION…]
	run "$@" -- cat /etc/resolv.conf
}

background() { # NAME [PODMAN_OPTION…]: a container that stays
	podman run -d --name "$1" --cgroup-parent "/$POD_DNS_LAB" "${@:2}" "$image" sleep infinity
}

end() { # NAME…
	podman rm -f -t 0 "$@"
}
