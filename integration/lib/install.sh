# install and uninstall in a folder of networks of its own, beside no runtime.

conf=$temp/net.d
bin=$temp/bin
ctl=$(dirname "$POD_DNS")/pod-dnsctl
samples=$here/../tests/data/conflists

place=(--conf-dir "$conf" --bin-dir "$bin" --cri-socket "$temp/none")

install_into() { # OPTION…
	"$ctl" install "${place[@]}" "$@"
}

uninstall_from() { # OPTION…
	"$ctl" uninstall "${place[@]}" "$@"
}

fresh() { # FILE [NAME]: a node whose only network is this file
	rm -rf "$conf" "$bin"
	mkdir -p "$conf" "$bin"
	cp "$1" "$conf/${2:-${1##*/}}"
	chmod 0640 "$conf"/*
	chown 0:4 "$conf"/*
}

chained() { # FILE
	jq -r '[.plugins[].type] | join(" ")' "$1"
}
