package main

import (
	"math/rand"
	"strings"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// random makes nodes and pods that are mostly ordinary, and odd in places.
type random struct{ *rand.Rand }

func newRandom(seed int64) random { return random{rand.New(rand.NewSource(seed))} }

func (r random) of(list ...string) string { return list[r.Intn(len(list))] }

// one says yes once in n times.
func (r random) one(n int) bool { return r.Intn(n) == 0 }

func (r random) some(most int, item func() string) []string {
	var list []string
	for range r.Intn(most + 1) {
		list = append(list, item())
	}
	return list
}

func (r random) label() string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	var b strings.Builder
	for range 1 + r.Intn(12) {
		b.WriteByte(letters[r.Intn(len(letters))])
	}
	return b.String()
}

func (r random) domain() string {
	labels := []string{r.label()}
	for !r.one(3) {
		labels = append(labels, r.label())
	}
	return strings.Join(labels, ".")
}

func (r random) address() string {
	return r.of("10.96.0.10", "192.0.2.53", "198.51.100.7", "fd00::a", "2001:db8::53", "203.0.113.1", "10.0.0.2")
}

func (r random) oddAddress() string {
	return r.of("010.0.0.1", "::ffff:10.0.0.1", "2001:DB8:0::53", "fe80::1%eth0", "127.0.0.53", "10.0.0", "10.0.0.256",
		"[fd00::a]", "10.0.0.1:53", "dns.example", "1.2.3.4.5", "::1", "0.0.0.0", "::10.0.0.1")
}

func (r random) oddDomain() string {
	return r.of(".", "..", "a..b", "UPPER.example", "_sip._tcp.example", "a_b.example", "_", "__a.example", "a_.b", "example.",
		"a..", "-a.example", "a-.example", "ex ample", strings.Repeat("l", 70)+".example",
		strings.Repeat("a.", 126)+"b", strings.Repeat("a.", 126)+"bc", strings.Repeat("abcdefgh.", 26)+"example")
}

// usual is the first mostly, the second once in n times.
func (r random) usual(n int, first, second func() string) string {
	if r.one(n) {
		return second()
	}
	return first()
}

func (r random) server() string { return r.usual(12, r.address, r.oddAddress) }
func (r random) search() string { return r.usual(12, r.domain, r.oddDomain) }

func (r random) token() string {
	return r.of("ndots:5", "ndots:2", "ndots:1", "timeout:1", "timeout:3", "attempts:2", "rotate", "edns0", "single-request",
		"use-vc", "trust-ad", "inet6", "x:y:z", "ndots:", "debug")
}

/*** the node ***/

func (r random) line() string {
	switch r.Intn(9) {
	case 0, 1, 2:
		return "nameserver " + r.server()
	case 3, 4:
		return "search " + strings.Join(r.some(5, r.search), r.of(" ", "  ", "\t"))
	case 5, 6:
		return "options " + strings.Join(r.some(4, r.token), " ")
	case 7:
		return r.of("# comment", "; comment", "domain example.org", "sortlist 10.0.0.0", "", "garbage", "searches a.example",
			"nameservers 10.9.9.9", "NAMESERVER 10.9.9.9", "options", "search")
	}
	return r.of("  nameserver 10.1.1.1", "\tsearch indented.example", "nameserver 10.2.2.2 # two", "search a.example # b.example",
		"nameserver\t10.3.3.3\r", "search cr.example\r", "options timeout:1 # edns0", "nameserver\u00a010.4.4.4", "search\va.example")
}

func (r random) file() string {
	var lines []string
	for range r.Intn(9) {
		lines = append(lines, r.line())
	}
	if r.one(40) {
		lines = append(lines, "nameserver")
	}
	if r.one(15) {
		lines = append(lines, "search "+strings.Join(r.some(40, r.domain), " "))
	}
	return strings.Join(lines, "\n") + r.of("\n", "\n", "")
}

func (r random) node() node {
	n := node{ClusterDomain: r.of("cluster.local", "cluster.local", "corp.example", "k8s.corp.example", "")}
	n.ClusterDNS = r.some(2, r.server)
	if !r.one(6) {
		n.ClusterDNS = append([]string{r.address()}, n.ClusterDNS...)
	}
	if n.ClusterDNS == nil {
		n.ClusterDNS = []string{}
	}
	if r.one(20) {
		n.Missing = true
	} else if !r.one(12) {
		text := r.file()
		n.ResolvConf = &text
	}
	return n
}

/*** the pod ***/

func (r random) option() v1.PodDNSConfigOption {
	o := v1.PodDNSConfigOption{Name: r.of("ndots", "ndots", "timeout", "attempts", "rotate", "edns0", "single-request", "x", "y")}
	if r.one(25) {
		o.Name = r.of("", "ndots:2", "a:b", "nd ots", "a\nnameserver", "x:y:z")
	}
	if r.one(3) {
		return o
	}
	value := r.of("1", "2", "5", "30", "", "v")
	if r.one(30) {
		value = r.of("1 2", "a\n", ":", "a:b", "-1")
	}
	o.Value = &value
	return o
}

func (r random) dnsConfig() *v1.PodDNSConfig {
	if r.one(3) {
		return nil
	}
	config := &v1.PodDNSConfig{Nameservers: r.some(3, r.server), Searches: r.some(4, r.search)}
	if r.one(30) {
		config.Nameservers = append(config.Nameservers, r.address(), r.address(), r.address())
	}
	if r.one(20) {
		config.Searches = r.some(34, r.domain)
	}
	if r.one(20) {
		config.Searches = append(config.Searches, "svc.cluster.local", "cluster.local")
	}
	for range r.Intn(4) {
		config.Options = append(config.Options, r.option())
	}
	return config
}

func (r random) pod() v1.Pod {
	pod := v1.Pod{
		TypeMeta:   metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"},
		ObjectMeta: metav1.ObjectMeta{Namespace: r.of("default", "kube-system", "shop", "a", r.label())},
		Spec: v1.PodSpec{
			Containers: []v1.Container{{Name: "c", Image: "i"}},
			DNSConfig:  r.dnsConfig(),
		},
	}
	pod.Spec.DNSPolicy = v1.DNSPolicy(r.of("ClusterFirst", "ClusterFirst", "ClusterFirst", "ClusterFirstWithHostNet", "Default", "None", ""))
	if r.one(40) {
		pod.Spec.DNSPolicy = v1.DNSPolicy(r.of("Custom", "clusterfirst", "Keep", "ClusterFirstWithAutopath"))
	}
	pod.Spec.HostNetwork = r.one(6)
	return pod
}
