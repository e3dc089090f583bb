# A DNS server that knows a few names, says NXDOMAIN to all others, and logs what it was asked.

dns_log=$temp/dns.log
dns_zone=(
	--host-record=api.shop.svc.cluster.local,10.96.0.80
	--host-record=api.default.svc.cluster.local,10.96.0.81
	--host-record=www.example.com,192.0.2.80
)

start_dns() { # ADDRESS [COMMAND…]: the command enters the namespace to serve in
	start dns "${@:2}" dnsmasq --keep-in-foreground --conf-file=/dev/null --user=root --pid-file= \
		--no-resolv --no-hosts --local=/#/ "${dns_zone[@]}" --listen-address="$1" --bind-interfaces \
		--log-queries --log-facility="$dns_log"
	within 10 grep -qs 'started' "$dns_log" || fail "dnsmasq does not start"
}

# What was asked since the last call, one "NAME TYPE" a line, in order.
asked() {
	sed -n 's/.*query\[\([A-Z]*\)\] \([^ ]*\) from .*/\2 \1/p' "$dns_log"
	: >"$dns_log"
}
