# What every scenario stands on. `lab "$@"` runs the scenario again in mount, network and process namespaces of its
# own, with /run, /var/lib and /var/log empty, a copy of /etc, and a resolv.conf everyone knows. Nothing the scenario
# does reaches the machine, and when it ends, however it ends, the kernel removes all of it.

set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) # integration/
POD_DNS=$(realpath "${POD_DNS:-$here/../build/pod-dns}")
POD_DNSCTL=$(realpath "${POD_DNSCTL:-$here/../build/pod-dnsctl}")
POD_DNS_NRI=$(realpath "${POD_DNS_NRI:-$here/../build/pod-dns-nri}")
PATH=$PATH:/usr/sbin:/sbin
export ASAN_OPTIONS=${ASAN_OPTIONS:-exitcode=99} UBSAN_OPTIONS=${UBSAN_OPTIONS:-exitcode=99}
temp=/run/pdt
declare -A daemon

lab() {
	[[ ${POD_DNS_LAB:-} && $$ == 1 ]] || outside "$@"
	inside
}

outside() {
	local status=0

	child=
	((EUID == 0)) || skip "needs root"
	[[ -x $POD_DNS ]] || fail "no $POD_DNS: build it first (make)"
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	trap clear_up EXIT
	# A session of its own: Ctrl-C is for this process alone, which then ends all others at once.
	POD_DNS_LAB=pdt-$$ setsid unshare --mount --net --pid --fork --kill-child --mount-proc \
		--propagation private -- "$0" "$@" &
	child=$!
	wait "$child" || status=$?
	exit "$status"
}

# The death of a process namespace's first process ends all others; control groups outlive them.
clear_up() {
	local init

	disown "$child" 2>/dev/null || true
	kill -STOP "$child" 2>/dev/null || true
	init=$(cat "/proc/$child/task/$child/children" 2>/dev/null || true)
	kill -KILL "$child" $init 2>/dev/null || true
	while [[ $init ]] && lives $init; do
		sleep 0.02
	done
	within 5 no_cgroups_left || true
}

no_cgroups_left() {
	# Not a lab's whose number only begins so.
	find /sys/fs/cgroup -depth -type d -regex ".*/pdt-$$\(-[^/]*\)?\(/.*\)?" -exec rmdir {} + 2>/dev/null || true
	[[ -z $(find /sys/fs/cgroup -type d -name "pdt-$$") ]]
}

lives() {
	[[ $(cat "/proc/$1/stat" 2>/dev/null) == *") "[!Z]* ]]
}

inside() {
	trap conclude EXIT
	mount -t tmpfs -o mode=0755 run /run
	mkdir -m 0755 "$temp" "$temp/etc" /run/netns
	cp -a /etc/. "$temp/etc/"
	mount --bind "$temp/etc" /etc
	rm -rf /etc/resolv.conf /etc/netns
	printf 'nameserver 192.0.2.53\nsearch node.example\n' >/etc/resolv.conf
	mount -t tmpfs -o mode=0755 lib /var/lib
	mount -t tmpfs -o mode=0755 log /var/log
	ip link set lo up
	umask 022
}

conclude() {
	local status=$? log

	trap - EXIT
	[[ $status == 0 || $BASH_COMMAND == exit* ]] || echo "ended with $status at: $BASH_COMMAND" >&2
	[[ $status != 0 || ! -e $temp/failed ]] || status=1
	if ((status != 0 && status != 77)); then
		for log in "$temp"/*.log; do
			[[ ! -s $log ]] || { echo "--- the end of ${log##*/}:"; tail -n 15 "$log" | cut -c 1-300; } >&2
		done
	fi
	exit "$status"
}

skip() {
	echo "$*" >&2
	exit 77
}

fail() {
	echo "failed: $*" >&2
	exit 1
}

# Pinned Go programs onto the PATH. Before `lab`: building them needs the machine's network.
tools() {
	local folders

	folders=$("$here/tools/build" "$@") || exit $?
	tool_path=${folders//$'\n'/:}
	PATH=$tool_path:$PATH
}

# The assertions go on after a failure, so that one run shows all of them.
unlike() {
	touch "$temp/failed"
	{
		printf 'not as expected: %s\n  want:\n' "$1"
		sed 's/^/    /' <<<"$2"
		echo '  got:'
		sed 's/^/    /' <<<"$3"
	} >&2
}

is() { # WHAT WANT GOT
	[[ $3 == "$2" ]] || unlike "$@"
}

like() { # WHAT GLOB GOT
	[[ $3 == $2 ]] || unlike "$@"
}

same() { # WHAT FILE FILE
	cmp -s "$2" "$3" || unlike "$1" "$(cat "$2" 2>&1)" "$(cat "$3" 2>&1)"
}

ok() { # WHAT COMMAND…
	local what=$1 said

	shift
	said=$("$@" 2>&1) || unlike "$what" "success of: $*" "$said"
}

refused() { # WHAT COMMAND…
	local what=$1 said

	shift
	! said=$("$@" 2>&1) || unlike "$what" "failure of: $*" "$said"
}

within() { # SECONDS COMMAND…: polls until the command succeeds
	local end=$((SECONDS + $1))

	shift
	until "$@"; do
		((SECONDS < end)) || return 1
		sleep 0.05
	done
}

start() { # NAME COMMAND…
	local name=$1

	shift
	"$@" >>"$temp/$name.log" 2>&1 </dev/null &
	daemon[$name]=$!
}

stop() { # NAME [SIGNAL]
	kill -"${2:-TERM}" "${daemon[$1]}" 2>/dev/null || true
	wait "${daemon[$1]}" 2>/dev/null || true
	unset "daemon[$1]"
}

# What pod-dns may leave behind when no attachment is left: its lock and the mark of its last sweep.
left_behind() {
	find /run/pod-dns -mindepth 1 ! -name .lock ! -name .swept ! -name .node 2>/dev/null || true
	find /etc/netns -mindepth 1 2>/dev/null || true
}

nothing_left() { # WHEN
	is "nothing is left $1" "" "$(left_behind)"
}
