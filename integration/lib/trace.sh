# One attachment to repeat, and each system call that its ADD makes, to be struck one by one.

netns=/run/netns/pdt-a
file=$temp/sandbox/c1/resolv.conf
old_text=$(resolv_conf "$searches" 10.96.0.10 ndots:5)
new_text=$(resolv_conf "$searches" 10.96.0.10 ndots:2)
template="$cluster, \"targets\": [\"$temp/sandbox/{containerID}/resolv.conf\"]"
finished='"runtimeConfig": { "dns": { "Servers": ["10.96.0.10"], "Options": ["ndots:5"],
	"Searches": ["default.svc.cluster.local", "svc.cluster.local", "cluster.local", "node.example"] } }'

# netns: a file of ours and a link to it; sandbox: a runtime's file, rewritten in place; input: that file is
# also what ADD reads the pod's configuration from.
prepare() { # TARGET
	target=$1
	mkdir -p "$temp/sandbox/c1"
	echo "$old_text" >"$file"
	export CNI_ARGS=
	case $1 in
	netns) config "$cluster" >"$temp/config" ;;
	sandbox) config "$template, $finished" >"$temp/config" ;;
	input)
		config "$template" >"$temp/config"
		CNI_ARGS='K8S_POD_INFRA_CONTAINER_ID=c1;K8S_POD_NAMESPACE=default'
		;;
	esac
}

add_traced() { # STRACE_OPTION…: stdout in said, stderr in warned; the status is the plugin's
	under=(timeout 20 strace -qq -o "$temp/trace" "$@" --)
	plugin ADD c1 "$netns" <"$temp/config" >"$temp/said" 2>"$temp/warned"
}

# In the file calls, lines "CALL NUMBER": the n-th time ADD makes this call, from the moment it reads its stdin.
list_calls() {
	add_traced || fail "ADD under strace: $(cat "$temp/said" "$temp/warned")"
	sed -n 's/^\([a-z0-9_]*\)(\(0,\)\{0,1\}.*/\1 \2/p' "$temp/trace" |
		awk '{ n[$1]++ } $1 == "read" && $2 == "0," { on = 1 } on && $1 != "exit_group" { print $1, n[$1] }' \
		>"$temp/calls"
	[[ -s $temp/calls ]] || fail "the trace shows no read of stdin"
}

now_written() {
	case $target in
	netns) cat /etc/netns/pdt-a/resolv.conf 2>/dev/null || true ;;
	*) cat "$file" ;;
	esac
}

# With sanitizers: their check for leaks cannot run under strace, and their own calls for memory may not fail.
export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
sanitized() {
	grep -q __asan_init "$POD_DNS"
}
