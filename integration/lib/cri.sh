# A client of the Container Runtime Interface: gRPC on a unix socket, spoken by curl, with protoc for the messages.

# Stdin is the request as protobuf text, stdout the response. Fails with the runtime's own message on stderr.
# How long the runtime took, in seconds, is then in the file took.
cri() { # METHOD
	local at status

	at=$(mktemp -d "$temp/cri-XXXXXX")
	protoc -I "$here/lib" --encode="runtime.v1.$1Request" cri.proto >"$at/message"
	{
		printf '\0%b' "$(printf '\\x%s' $(printf '%08x' "$(stat -c %s "$at/message")" | fold -w 2))"
		cat "$at/message"
	} >"$at/request"
	curl -s --http2-prior-knowledge --unix-socket "$cri_socket" --max-time 120 \
		-H 'content-type: application/grpc' -H 'te: trailers' --data-binary "@$at/request" \
		-D "$at/head" -o "$at/response" -w '%{time_total}' \
		"http://cri/runtime.v1.RuntimeService/$1" >"$temp/took" || {
		echo "$1: the runtime does not answer" >&2
		return 1
	}
	status=$(trailer grpc-status "$at/head")
	if [[ $status != 0 ]]; then
		printf '%s: %b\n' "$1" "$(trailer grpc-message "$at/head" | sed 's/\\/\\\\/g; s/%/\\x/g')" >&2
		return 1
	fi
	tail -c +6 "$at/response" | protoc -I "$here/lib" --decode="runtime.v1.$1Response" cri.proto
	rm -r "$at"
}

trailer() { # NAME FILE
	sed -n "s/^$1: //Ip" "$2" | tr -d '\r'
}

# A field of a response, its escapes undone.
field() { # NAME
	printf '%b' "$(sed -n "s/^$1: \"\{0,1\}\(.*[^\"]\)\"\{0,1\}\$/\1/p")"
}

quoted() { # TEXT: as a protobuf string
	if [[ $1 == *[!A-Za-z0-9\ ./:=_-]* ]]; then
		jq -n --arg text "$1" '$text'
	else
		echo "\"$1\""
	fi
}

each() { # FIELD VALUE…: a repeated field
	local name=$1 value

	shift
	for value; do
		printf '%s: %s ' "$name" "$(quoted "$value")"
	done
}

# The pod's whole configuration, kept for the containers that are made in it.
pod_config() { # NAMESPACE NAME DNS_CONFIG [ANNOTATION=VALUE…]
	local annotation

	printf 'metadata { name: "%s" uid: "uid-%s" namespace: "%s" } hostname: "%s" ' "$2" "$2" "$1" "$2"
	printf 'log_directory: "%s" linux { cgroup_parent: "/%s" } ' "$temp/pods/$2" "$POD_DNS_LAB"
	[[ $3 == absent ]] || printf 'dns_config { %s } ' "$3"
	for annotation in "${@:4}"; do
		printf 'annotations { key: %s value: %s } ' "$(quoted "${annotation%%=*}")" \
			"$(quoted "${annotation#*=}")"
	done
}

# As kubelet fills it in: three lists of words.
dns_config() { # SEARCHES SERVERS OPTIONS
	{ each searches $1; each servers $2; each options $3; }
}

run_pod() { # NAMESPACE NAME DNS_CONFIG [ANNOTATION=VALUE…]: sets sandbox[NAME]; under the runtime handler, if named
	rm -rf "$temp/pods/$2"
	mkdir -p "$temp/pods/$2"
	pod_config "$@" >"$temp/pods/$2/config"
	sandbox[$2]=$(echo "config { $(cat "$temp/pods/$2/config") } runtime_handler: \"${handler:-}\"" |
		cri RunPodSandbox | field pod_sandbox_id)
	[[ ${sandbox[$2]} ]]
}

# The container's output goes to pods/POD/CONTAINER.log in the runtime's format.
run_container() { # POD CONTAINER COMMAND…: sets container[POD/CONTAINER]; more is in mounts
	local key=$1/$2

	container[$key]=$(cri CreateContainer <<-END | field container_id
		pod_sandbox_id: "${sandbox[$1]}" sandbox_config { $(cat "$temp/pods/$1/config") }
		config {
			metadata { name: "$2" } image { image: "$image" } log_path: "$2.log"
			$(each command "${@:3}") ${mounts:-}
		}
	END
	)
	echo "container_id: \"${container[$key]}\"" | cri StartContainer
}

in_container() { # POD/CONTAINER COMMAND…
	local reply

	reply=$(echo "container_id: \"${container[$1]}\" timeout: 60 $(each cmd "${@:2}")" | cri ExecSync)
	field stdout <<<"$reply"
	field stderr <<<"$reply" >&2
}

stop_pod() { # POD
	echo "pod_sandbox_id: \"${sandbox[$1]}\"" | cri StopPodSandbox
}

remove_pod() { # POD
	echo "pod_sandbox_id: \"${sandbox[$1]}\"" | cri RemovePodSandbox
}

# What a container printed, without the runtime's time stamps.
printed() { # POD CONTAINER
	cut -d ' ' -f 4- "$temp/pods/$1/$2.log"
}

declare -A sandbox container
