# Real CoreDNS as the node's cache, with the Corefile that pod-dnsctl makes, and behind it, in pdt-cluster: the cluster's
# DNS, a resolver outside, and upstreams of zones, each its own server that logs what it is asked. Needs cni.sh, steer.sh.

coredns=${COREDNS:-coredns}
outside=192.0.2.53
# Where the cluster's DNS listens.
cluster_binds="$vip4 $vip6 $fallback4"
corp4=192.0.2.61 corp_port=192.0.2.62:5353 corp6=2001:db8::61

in_node() {
	"${node[@]}" "$@"
}

in_cluster() {
	nsenter --net=/run/netns/pdt-cluster "$@"
}

# node, cluster and the way between them; nothing is started.
lab_of_dns() {
	namespace node
	namespace cluster
	in_node sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
	ip -n pdt-node link add pdt0 address 02:00:0a:58:00:01 type bridge
	ip -n pdt-node link add up0 type veth peer name eth0 netns pdt-cluster
	address node lo $cache4/32 $cache6/128
	address node pdt0 10.88.0.1/16 fd00:88::1/64
	address node up0 10.99.0.1/24 fd00:99::1/64
	address cluster eth0 $backend4/24 $backend6/64
	address cluster lo $vip4/32 $fallback4/32 $vip6/128 $outside/32 $corp4/32 ${corp_port%:*}/32 $corp6/128
	ip -n pdt-node link set pdt0 up
	ip -n pdt-node link set up0 up
	ip -n pdt-cluster link set eth0 up
	ip -n pdt-cluster route add default via 10.99.0.1
	ip -n pdt-cluster route add default via fd00:99::1
	ip -n pdt-node route add default via $backend4
	ip -n pdt-node route add default via $backend6
}

# A server that answers each query for an address of its zones with one, of IPv6 2001:db8::LAST_BYTE.
answering() { # LOG_WORD BIND|IPV4:PORT ADDRESS ZONE…
	local zone bind=$2 port=53

	[[ ! $2 =~ ^[0-9.]+:[0-9]+$ ]] || { bind=${2%:*} port=${2#*:}; }
	for zone in "${@:4}"; do
		cat <<-END
			$zone:$port {
			    bind $bind
			    log . "$1 {name} {type}"
			    template IN A . {
			        answer "{{ .Name }} 60 IN A $3"
			    }
			    template IN AAAA . {
			        answer "{{ .Name }} 60 IN AAAA 2001:db8::${3##*.}"
			    }
			    template ANY ANY . {
			        authority "$zone. 60 IN SOA ns.$zone. h.$zone. 1 7200 900 86400 60"
			    }
			}
		END
	done
}

# Everything behind the cache; with `quiet` it logs nothing. What the cluster's own CoreDNS has beside its Corefile comes
# from stdin.
start_servers() {
	local beside

	beside=$(cat)
	{
		cat <<-END
			(mine) {
			    bind $cluster_binds
			    log . "cluster {name} {type}"
			}
			cluster.local:53 {
			    import mine
			    file $here/cache/cluster.local.zone
			}
			10.in-addr.arpa:53 {
			    import mine
			    file $here/cache/10.in-addr.arpa.zone
			}
			.:53 {
			    import mine
			    forward . $outside
			}
			(outside) {
			    bind $outside
			    log . "outside {name} {type}"
			}
			example.com:53 {
			    import outside
			    file $here/cache/example.com.zone
			}
			node.example:53 {
			    import outside
			    file $here/cache/node.example.zone
			}
			.:53 {
			    import outside
			    template ANY ANY . {
			        rcode NXDOMAIN
			        authority ". 60 IN SOA a.root. h.root. 1 7200 900 86400 60"
			    }
			}
		END
		answering corp4 $corp4 192.0.2.161 corp.example
		# As `ask` tells the cache, which forwards the zone, from the cluster, which does not.
		answering who $corp4 192.0.2.1 who.example
		answering cluster "$cluster_binds" 192.0.2.2 who.example
		answering corp_port $corp_port 192.0.2.162 corp.example db.corp.example
		answering corp6 $corp6 192.0.2.163 six.example
		# As a part of the cluster's own: it binds what that binds.
		sed '/^(common)/a \    bind '"$cluster_binds"'\n    log . "cluster {name} {type}"' <<<"$beside" |
			sed '/prometheus/d'
	} >"$temp/Corefile.servers"
	[[ ! ${quiet:-} ]] || sed -i '/^ *log /d' "$temp/Corefile.servers"
	start servers nsenter --net=/run/netns/pdt-cluster "$coredns" -conf "$temp/Corefile.servers"
	within 20 listens cluster $outside || fail "the servers do not start"
}

# What the servers were asked since the last call: "SERVER NAME TYPE" a line, of those servers whose name is given.
were_asked() { # [SERVER]
	sed -n "s/^.*\[INFO\] \(${1:-[a-z0-9_]*} .*\)$/\1/p" "$temp/servers.log"
	: >"$temp/servers.log"
}

conflist() { # KEYS_OF_POD_DNS
	jq -n --argjson ours "{ $1 }" '{ cniVersion: "1.0.0", name: "lab",
		plugins: [{ type: "bridge" }, { type: "pod-dns" } + $ours] }' >"$temp/lab.conflist"
}

# The configuration made of keys, which the plugin gets too.
make_cache() { # KEYS
	conflist "$1"
	"$POD_DNSCTL" corefile --output "$temp/cache" "$temp/lab.conflist" >"$temp/corefile.out" ||
		fail "corefile: $1"
	same "what is printed and what is written" "$temp/corefile.out" "$temp/cache/Corefile"
}

start_dns_cache() {
	start cache "${node[@]}" "$coredns" -conf "$temp/cache/Corefile"
	within 20 cache_is_ready || fail "the cache does not start: $(tail -n 3 "$temp/cache.log")"
}

cache_is_ready() {
	in_node curl -sf -o "$temp/ready" --max-time 2 "http://$cache4:8181/ready"
}

# The address that a name has, by one query.
found() { # POD SERVER NAME [OPTION…]
	in_pod "$1" dig +short +time=2 +tries=3 "${@:4}" "@$2" "$3" A | sed '/^;/d'
}

# What a pod has as its resolver file. `ip netns exec` mounts it.
resolv_of() { # POD SEARCHES [SERVER]
	mkdir -p "/etc/netns/pdt-$1"
	resolv_conf "$2" "${3:-$vip4}" ndots:5 >"/etc/netns/pdt-$1/resolv.conf"
}

build_lookups() {
	cc -O1 -o "$temp/lookup-glibc" "$here/lib/lookup.c"
	musl-gcc -static -O1 -o "$temp/lookup-musl" "$here/lib/lookup.c"
}

# A name, as a program of that libc finds it: its addresses in order of value, or nothing.
looked_up() { # LIBC POD NAME
	ip netns exec "pdt-$2" timeout 20 "$temp/lookup-$1" "$3" 2>/dev/null | sort -u | paste -sd ' ' || true
}
