# A node, its cluster DNS and pods, each in a network namespace of its own: pdt-node, pdt-cluster, pdt-POD.
# The cache listens on the node's loopback interface, the cluster DNS behind a link of the node's. Both name
# themselves in their answers; `ask` asks, and counts who answered. Needs cni.sh.

vip4=10.96.0.10 vip6=fd00:96::10 cache4=169.254.20.10 cache6=fd00:20::10
second4=10.96.0.11 second_cache4=169.254.20.11
backend4=10.99.0.2 backend6=fd00:99::2
fallback4=10.96.0.20 fallback6=fd00:96::20
both_families='"clusterDNS": ["'$vip4'", "'$vip6'"]'
nowhere='"resolvConf": "", "targets": []'
node=(nsenter --net=/run/netns/pdt-node)
# The plugin runs where the runtime does.
under=("${node[@]}" timeout 20)

build_helpers() {
	if [[ ${STEER_HELPERS:-} ]]; then # built already: an emulated machine takes a minute for it
		cp "$STEER_HELPERS"/{answer,ask} "$temp/"
		return
	fi
	cc -O1 -D_GNU_SOURCE -o "$temp/answer" "$here"/steer/{answer,message,socket}.c
	cc -O1 -D_GNU_SOURCE -o "$temp/ask" "$here"/steer/{ask,lookups,transport,message,socket}.c
}

namespace() { # NAME
	ip netns add "pdt-$1"
	nsenter --net="/run/netns/pdt-$1" sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0 \
		net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0
	ip -n "pdt-$1" link set lo up
}

address() { # NAMESPACE DEVICE ADDRESS…
	local one

	for one in "${@:3}"; do
		ip -n "pdt-$1" address add "$one" dev "$2" $([[ $one != *:* ]] || echo nodad)
	done
}

lab_of_three() {
	build_helpers
	namespace node
	namespace cluster
	"${node[@]}" sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
	# Without an address of its own a bridge takes the lowest of its ports': a pod that comes then changes what
	# the others have learned of their gateway, and what they send is lost until they learn anew.
	ip -n pdt-node link add pdt0 address 02:00:0a:58:00:01 type bridge
	ip -n pdt-node link add up0 type veth peer name eth0 netns pdt-cluster
	address node lo $cache4/32 $second_cache4/32 $cache6/128
	address node pdt0 10.88.0.1/16 fd00:88::1/64
	address node up0 10.99.0.1/24 fd00:99::1/64
	address cluster eth0 $backend4/24 $backend6/64
	address cluster lo $vip4/32 $second4/32 $fallback4/32 $vip6/128 $fallback6/128
	ip -n pdt-node link set pdt0 up
	ip -n pdt-node link set up0 up
	ip -n pdt-cluster link set eth0 up
	ip -n pdt-cluster route add default via 10.99.0.1
	ip -n pdt-cluster route add default via fd00:99::1
	route_cluster add
	start_cluster
	start_cache
}

route_cluster() { # add|del: the way from the node to the cluster's service addresses
	ip -n pdt-node route "$1" 10.96.0.0/24 via $backend4
	ip -n pdt-node route "$1" fd00:96::/64 via $backend6
}

start_cluster() {
	start cluster nsenter --net=/run/netns/pdt-cluster "$temp/answer" cluster \
		$vip4 $second4 $fallback4 $backend4 $vip6 $fallback6 $backend6
	within 10 listens cluster $vip4 || fail "the cluster DNS does not start"
}

start_cache() { # [MORE_ADDRESSES]
	start cache "${node[@]}" "$temp/answer" cache $cache4 $second_cache4 $cache6 "$@"
	within 10 listens node $cache4 || fail "the cache does not start"
}

listens() { # NAMESPACE ADDRESS
	[[ $(nsenter --net="/run/netns/pdt-$1" ss -Hlnu "src $2:53") ]]
}

pod() { # NAME NUMBER: its addresses are 10.88.0.NUMBER and fd00:88::NUMBER
	namespace "$1"
	ip -n pdt-node link add "veth-$1" type veth peer name eth0 netns "pdt-$1"
	ip -n pdt-node link set "veth-$1" master pdt0 up
	address "$1" eth0 "10.88.0.$2/16" "fd00:88::$2/64"
	ip -n "pdt-$1" link set eth0 up
	ip -n "pdt-$1" route add default via 10.88.0.1
	ip -n "pdt-$1" route add default via fd00:88::1
	number[$1]=$2
}
declare -A number

node_cache() { # MODE [MORE_KEYS_OF_NODE_CACHE]: keys of pod-dns, for both families
	echo "$both_families, $nowhere, \"nodeCache\": { \"addresses\": [\"$cache4\", \"$cache6\"]," \
		"\"steer\": \"$1\" ${2:+, $2} }"
}

# What the runtime says of a pod.
pod_config() { # POD [KEYS]
	local n=${number[$1]}
	local previous='"interfaces": [{ "name": "eth0", "sandbox": "/run/netns/pdt-'"$1"'" }],
		"ips": [{ "address": "10.88.0.'"$n"'/16", "interface": 0 },
			{ "address": "fd00:88::'"$n"'/64", "interface": 0 }]'

	config "${2:-$(node_cache pod)}"
}

attach() { # POD [KEYS]: what it prints is kept for CHECK, as runtimes do
	pod_config "$@" | plugin ADD "$1" "/run/netns/pdt-$1" | tee "$temp/result-$1"
}

detach() { # POD [KEYS]
	pod_config "$@" | plugin DEL "$1" "/run/netns/pdt-$1"
}

check() { # POD [KEYS]
	as_stdin "${2:-$(node_cache pod)}" 1.1.0 lab "$(<"$temp/result-$1")" | plugin CHECK "$1" "/run/netns/pdt-$1"
}

in_pod() { # POD COMMAND…
	nsenter --net="/run/netns/pdt-$1" "${@:2}"
}

# The counts of the last lookups; `holds` compares them.
ask() { # WHAT POD OPTION… SERVER
	counts=$(in_pod "$2" "$temp/ask" "${@:3}")
	echo "$1: $counts"
}

# The same in the background; `answers` waits for it.
asks() { # WHAT POD OPTION… SERVER
	in_pod "$2" "$temp/ask" "${@:3}" >"$temp/asks ${1//\//-}" &
	asking[$1]=$!
}
declare -A asking

answers() { # WHAT
	wait "${asking[$1]}" || fail "$1: ask"
	counts=$(cat "$temp/asks ${1//\//-}")
	echo "$1: $counts"
}

holds() { # WHAT EXPRESSION: over the words of a line of `ask`
	local asked cache cluster lost refused retried servfail

	read -r _ asked _ cache _ cluster _ lost _ refused _ retried _ servfail <<<"$counts"
	((asked > 0 && ($2))) || unlike "$1" "$2" "$counts"
}

none_lost() { # WHAT
	holds "$1: none lost" "lost == 0 && servfail == 0"
}

mostly() { # WHAT cache|cluster: a noisy machine may delay one answer in ten
	holds "$1: by the $2" "$2 >= asked - asked / 10 - 1"
}

# One query that is answered by the one that is meant; a pod begins with the cluster and finds the cache by asking.
is_at() { # POD cache|cluster SERVER
	[[ $(in_pod "$1" "$temp/ask" -n 1 -t 2 -w 300 "$3") == *" $2 1 "* ]]
}

comes_to() { # WHAT POD cache|cluster SERVER
	within 30 is_at "${@:2}" || unlike "$1: $2 comes to the $3" "$3" "$(in_pod "$2" "$temp/ask" "$4")"
}

# A filter before the cache, through which nothing comes, not even an ICMP error.
wall() { # add|delete
	[[ $1 == add ]] || "${node[@]}" nft delete table inet wall
	[[ $1 == delete ]] || "${node[@]}" nft -f - <<-END
		table inet wall {
			chain input {
				type filter hook input priority filter
				ip daddr { $cache4, $second_cache4 } drop
				ip6 daddr $cache6 drop
			}
		}
	END
}

# Once it has found the cache again, which it forgets when it asked and then rested.
at_the_cache() { # WHAT POD OPTION… SERVER
	comes_to "$1" "$2" cache "${@: -1}"
	ask "$@"
	none_lost "$1"
	mostly "$1" cache
}

# How many connections a namespace's kernel tracks.
tracked() { # NAMESPACE
	in_pod "$1" cat /proc/sys/net/netfilter/nf_conntrack_count
}

tables() { # NAMESPACE
	in_pod "$1" nft list tables | sort
}

# p is steered in its own namespace, n on the node, u is not ours. What follows is said of p and n, over both families.
three_pods() { # [MORE_KEYS_OF_NODE_CACHE]
	pod p 2
	pod n 3
	pod u 4
	attach_both "$@"
}

attach_both() { # [MORE_KEYS_OF_NODE_CACHE]
	ok "add p" attach p "$(node_cache pod "$@")"
	ok "add n" attach n "$(node_cache node "$@")"
}

for_each() { # COMMAND ARGUMENT…: COMMAND POD SERVER ARGUMENT…
	local pod server

	for pod in p n; do
		for server in $vip4 $vip6; do
			"$1" $pod $server "${@:2}"
		done
	done
}

warm_one() { # POD SERVER
	comes_to "at rest" "$1" cache "$2"
	in_pod "$1" "$temp/ask" -n 100 -r 500 "$2" >/dev/null
}

# All have found the cache.
warm() {
	for_each warm_one
}

# The addresses in the node's sets, with the attachments that own them.
elements() {
	"${node[@]}" nft -j list ruleset | jq -r '.nftables[].set? | select(.name == "pods") | .elem[]? |
		if type == "object" then "\(.elem.val) \(.elem.comment)" else . end' | sort
}

elements_of() { # POD…
	local pod

	for pod; do
		printf '%s\n' "10.88.0.${number[$pod]} lab/$pod@eth0" "fd00:88::${number[$pod]} lab/$pod@eth0"
	done | sort
}
