/* SPDX-License-Identifier: Apache-2.0 */
/* What `check` says of the mistakes that operators make: at least this finding, at this key. */
#include "rows.h"
#include "pod-dnsctl/check/check.h"

#include <stdio.h>
#include <string.h>

/* `text`: the keys behind "type" of our object, a conflist that begins with a brace, or with "=" a
 * whole file. Single quotes stand for double ones, but in a whole file. */
static const struct mistake {
	const char *name, *text;
	const char *path, *severity, *says; /* a part of the text */
} mistakes[] = {
	{ "clusterDNS as a string", "'capabilities':{'dns':true},'clusterDNS':'10.96.0.10'",
	  "clusterDNS", "error", "expected a list, got \"10.96.0.10\"; write [\"10.96.0.10\"]" },
	{ "clusterDNS as a name",
	  "'capabilities':{'dns':true},'clusterDNS':['kube-dns.kube-system']", "clusterDNS[0]",
	  "warning", "\"kube-dns.kube-system\" is not an IP address: dropped" },
	{ "clusterDNS with a port", "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10:53']",
	  "clusterDNS[0]", "warning", "\"10.96.0.10:53\" is not an IP address: dropped" },
	{ "clusterDNS as a number", "'capabilities':{'dns':true},'clusterDNS':[10]",
	  "clusterDNS[0]", "error", "expected a string, got 10" },
	{ "clusterDNS missing", "'capabilities':{'dns':true},'dnsPolicy':'ClusterFirst'",
	  "clusterDNS", "warning",
	  "clusterDNS names no address: dnsPolicy ClusterFirst falls back to Default" },
	{ "clusterDNS empty", "'capabilities':{'dns':true},'clusterDNS':[]", "clusterDNS",
	  "warning", "clusterDNS names no address: dnsPolicy ClusterFirst falls back to Default" },
	{ "clusterDNS with capitals at the end",
	  "'capabilities':{'dns':true},'clusterDns':['10.96.0.10']", "clusterDns", "warning",
	  "unknown key, ignored (did you mean \"clusterDNS\"?)" },
	{ "clusterDNS beside its misspelling",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'clusterDns':['10.96.0.11']",
	  "clusterDns", "warning", "pod-dns does not read this key (did you mean clusterDNS?)" },
	{ "clusterDNS twice",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'clusterDNS':['10.96.0.11']",
	  "clusterDNS", "warning", "line 1: the key is there twice: only the last one counts" },
	{ "clusterDomain as a list",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'clusterDomain':['cluster.local'"
	  "]",
	  "clusterDomain", "error", "expected a string, got [\"cluster.local\"]" },
	{ "clusterDomain with capitals",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'clusterDomain':'Cluster.Local'",
	  "clusterDomain", "warning",
	  "\"Cluster.Local\" is written so into each search: kubelet's is \"cluster.local\"" },
	{ "clusterDomain with a final dot",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'clusterDomain':'cluster.local."
	  "'",
	  "clusterDomain", "warning",
	  "\"cluster.local.\" is written so into each search: kubelet's is \"cluster.local\"" },
	{ "clusterDomain with a blank",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'clusterDomain':'cluster local'",
	  "clusterDomain", "error", "\"cluster local\" is not a domain name" },
	{ "clusterDomain misspelt",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'clusterdomain':'x.example'",
	  "clusterdomain", "warning", "unknown key, ignored (did you mean \"clusterDomain\"?)" },
	{ "resolvConf that is not there",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'resolvConf':'/etc/"
	  "resolve.conf'",
	  "resolvConf", "warning",
	  "/etc/resolve.conf is not on this machine: a pod that needs it would fail" },
	{ "resolvConf relative",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'resolvConf':'resolv.conf'",
	  "resolvConf", "error", "\"resolv.conf\" is not an absolute path" },
	{ "resolvConf as a bool",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'resolvConf':false",
	  "resolvConf", "error", "expected a string, got false" },
	{ "dnsPolicy in lower case",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsPolicy':'clusterFirst'",
	  "dnsPolicy", "error",
	  "expected one of ClusterFirst, ClusterFirstWithHostNet, Default, None, Keep," },
	{ "dnsPolicy that is unknown",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsPolicy':'Cluster'",
	  "dnsPolicy", "error",
	  "expected one of ClusterFirst, ClusterFirstWithHostNet, Default, None, Keep," },
	{ "dnsPolicy as a list",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsPolicy':['Default']",
	  "dnsPolicy", "error",
	  "expected one of ClusterFirst, ClusterFirstWithHostNet, Default, None, Keep," },
	{ "dnsPolicy None without servers",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsPolicy':'None'", "dnsPolicy",
	  "error", "None needs at least one nameserver in a dnsConfig" },
	{ "policy in the place of dnsPolicy",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'policy':'Default'", "policy",
	  "warning", "pod-dns does not read this key (did you mean dnsPolicy?)" },
	{ "ndots at the top", "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'ndots':2",
	  "ndots", "warning", "pod-dns does not read this key (did you mean dnsConfig.options?)" },
	{ "options at the top",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'options':[]", "options",
	  "warning", "pod-dns does not read this key (did you mean dnsConfig?)" },
	{ "nameservers at the top",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nameservers':['192.0.2.1']",
	  "nameservers", "warning", "pod-dns does not read this key (did you mean dnsConfig?)" },
	{ "searches at the top",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'searches':['a.example']",
	  "searches", "warning", "pod-dns does not read this key (did you mean dnsConfig?)" },
	{ "exclude, which there is not",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'exclude':['kube-system']",
	  "exclude", "warning", "pod-dns does not read this key (did you mean rules?)" },
	{ "dnsConfig as a list",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':[]", "dnsConfig",
	  "error", "expected an object, got []" },
	{ "dnsConfig.ndots",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'ndots':2}",
	  "dnsConfig.ndots", "error",
	  "unknown key; options are a list: \"options\": [{\"name\": \"ndots\", \"value\": "
	  "\"2\"}]" },
	{ "dnsConfig.search, an alias, beside searches",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'search':['a."
	  "example'],'searches':['b.example']}",
	  "dnsConfig.searches", "error", "the same key as search: set only one" },
	{ "dnsConfig.nameserver",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'nameserver':['192."
	  "0.2.1']}",
	  "dnsConfig.nameserver", "error", "unknown key (did you mean \"nameservers\"?)" },
	{ "dnsConfig.nameservers as a string",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'nameservers':'192."
	  "0.2.1'}",
	  "dnsConfig.nameservers", "error",
	  "expected a list, got \"192.0.2.1\"; write [\"192.0.2.1\"]" },
	{ "dnsConfig.nameservers with a name",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'nameservers':['"
	  "dns.example']}",
	  "dnsConfig.nameservers[0]", "error", "\"dns.example\" is not an IP address" },
	{ "dnsConfig.nameservers with a port",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'nameservers':['"
	  "192.0.2.1:53']}",
	  "dnsConfig.nameservers[0]", "error", "\"192.0.2.1:53\" is not an IP address" },
	{ "dnsConfig.searches with capitals",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'searches':['A."
	  "Example']}",
	  "dnsConfig.searches[0]", "error",
	  "\"A.Example\" is not a lower-case domain name (RFC 1123)" },
	{ "dnsConfig.searches with a blank",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'searches':['a."
	  "example b.example']}",
	  "dnsConfig.searches[0]", "error",
	  "\"a.example b.example\" is not a lower-case domain name (RFC 1123)" },
	{ "dnsConfig.options as an object",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':{'ndots':"
	  "2}}",
	  "dnsConfig.options", "error", "expected a list, got {\"ndots\":2}" },
	{ "dnsConfig.options with strings",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':['ndots:"
	  "2']}",
	  "dnsConfig.options[0]", "error",
	  "expected an object, got \"ndots:2\"; options are a list: \"options\": [{\"name\": "
	  "\"ndots\", \"value\": \"2\"}]" },
	{ "an option without a name",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'value'"
	  ":'2'}]}",
	  "dnsConfig.options[0].name", "error", "missing" },
	{ "an option with an empty name",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "''}]}",
	  "dnsConfig.options[0].name", "error", "must not be empty" },
	{ "an option's name with its value",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'ndots:3'}]}",
	  "dnsConfig.options[0].name", "warning",
	  "\"ndots:3\" is a name with its value, which overrides nothing: write {\"name\": "
	  "\"ndots\", \"value\": \"3\"}" },
	{ "an option misspelt",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'ndot','value':'3'}]}",
	  "dnsConfig.options[0].name", "warning",
	  "\"ndot\" is not an option that a resolver knows (did you mean \"ndots\"?)" },
	{ "an option that nobody knows",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'faster'}]}",
	  "dnsConfig.options[0].name", "warning",
	  "\"faster\" is not an option that a resolver knows" },
	{ "ndots that is a word",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'ndots','value':'two'}]}",
	  "dnsConfig.options[0].value", "warning", "\"ndots\" takes a number from 0 to 15" },
	{ "ndots below zero",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'ndots','value':'-1'}]}",
	  "dnsConfig.options[0].value", "warning", "\"ndots\" takes a number from 0 to 15" },
	{ "ndots too large",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'ndots','value':'99'}]}",
	  "dnsConfig.options[0].value", "warning", "\"ndots\" takes a number from 0 to 15" },
	{ "ndots with a blank",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'ndots','value':' 3'}]}",
	  "dnsConfig.options[0].value", "error",
	  "\" 3\" holds white space or a control character" },
	{ "ndots without a value",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'ndots'}]}",
	  "dnsConfig", "warning", "option \"ndots\" has no value: lookups go without ndots:5" },
	{ "ndots:2, which musl reads otherwise",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'ndots','value':'2'}]}",
	  "dnsConfig.options", "warning",
	  "with ndots:2 or less, Alpine (musl) pods cannot resolve \"service.namespace.svc\": they "
	  "must write the full name" },
	{ "timeout too large",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'timeout','value':'60'}]}",
	  "dnsConfig.options[0].value", "warning", "\"timeout\" takes a number from 0 to 30" },
	{ "timeout zero",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'timeout','value':'0'}]}",
	  "dnsConfig", "warning",
	  "option \"timeout:0\" makes lookups fail, of musl or of both libcs: dropped" },
	{ "attempts too many",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'attempts','value':'10'}]}",
	  "dnsConfig.options[0].value", "warning", "\"attempts\" takes a number from 0 to 5" },
	{ "rotate with a value",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'rotate','value':'true'}]}",
	  "dnsConfig.options[0].value", "warning",
	  "\"rotate\" takes no value: resolvers ignore it" },
	{ "an option's value as a bool",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'rotate','value':true}]}",
	  "dnsConfig.options[0].value", "error",
	  "expected a string, an integer or null, got true" },
	{ "an option with a key that is not read",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':"
	  "'rotate','values':'1'}]}",
	  "dnsConfig.options[0].values", "error", "unknown key (did you mean \"value\"?)" },
	{ "rules as an object",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':{'namespaces':['a']}",
	  "rules", "error", "expected a list, got {\"namespaces\":[\"a\"]}" },
	{ "a rule with namespace",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespace':['a'],'"
	  "mode':'off'}]",
	  "rules[0].namespace", "error", "unknown key (did you mean \"namespaces\"?)" },
	{ "a rule with namespaces as a string",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':'a','"
	  "mode':'off'}]",
	  "rules[0].namespaces", "error", "expected a list, got \"a\"; write [\"a\"]" },
	{ "a rule with an empty list",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':[],'mode'"
	  ":'off'}]",
	  "rules[0].namespaces", "error", "0 entries, 1 at least" },
	{ "a pattern that is a regular expression",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':['^prod-."
	  "*$'],'mode':'off'}]",
	  "rules[0].namespaces[0]", "warning",
	  "\"^prod-.*$\" matches no namespace: patterns are shell globs (* ? [a-z]), not regular "
	  "expressions," },
	{ "a pattern with braces",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':['{dev,"
	  "prod}-*'],'mode':'off'}]",
	  "rules[0].namespaces[0]", "warning",
	  "\"{dev,prod}-*\" matches no namespace: patterns are shell globs (* ? [a-z]), not "
	  "regular expressions," },
	{ "a pattern with an open bracket",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':['[prod-*"
	  "'],'mode':'off'}]",
	  "rules[0].namespaces[0]", "warning",
	  "\"[prod-*\" matches no namespace: the bracket is not closed" },
	{ "a pattern with capitals",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':['Prod-*'"
	  "],'mode':'off'}]",
	  "rules[0].namespaces[0]", "warning",
	  "\"Prod-*\" matches no namespace: patterns are shell globs (* ? [a-z]), not regular "
	  "expressions, and" },
	{ "a pattern with a dot for namespaces",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':['prod.*'"
	  "],'mode':'off'}]",
	  "rules[0].namespaces[0]", "warning",
	  "\"prod.*\" matches no namespace: patterns are shell globs (* ? [a-z]), not regular "
	  "expressions, and" },
	{ "pods with their namespace",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'pods':['shop/"
	  "web-*'],'mode':'off'}]",
	  "rules[0].pods[0]", "warning",
	  "\"shop/web-*\" matches no pod: a name has no slash; a rule has namespaces and pods" },
	{ "a rule that is not reached",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':['*'],'"
	  "mode':'off'},{'namespaces':['a'],'mode':'off'}]",
	  "rules[1]", "warning", "no pod reaches it: rules[0] matches all of its pods first" },
	{ "a rule's steer without a cache",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':['a'],'"
	  "steer':true}]",
	  "rules[0].steer", "error", "there is no nodeCache" },
	{ "a rule's steer misspelt",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['169."
	  "254.20.10'],'steer':'pod'},'rules':[{'namespaces':['a'],'steer':'pods'}]",
	  "rules[0].steer", "error",
	  "expected one of true, false, off, pod, node, dnat, nameserver, got \"pods\"" },
	{ "a rule's mode misspelt",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':['a'],'"
	  "mode':'disabled'}]",
	  "rules[0].mode", "error", "expected one of enforce, observe, off, got \"disabled\"" },
	{ "a rule's clusterDNS, which there is not",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':['a'],'"
	  "clusterDNS':['192.0.2.1']}]",
	  "rules[0].clusterDNS", "error", "unknown key" },
	{ "nodeCache without addresses",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'steer':'pod'}",
	  "nodeCache.addresses", "error", "missing" },
	{ "nodeCache.address",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'address':['169."
	  "254.20.10']}",
	  "nodeCache.address", "error", "unknown key (did you mean \"addresses\"?)" },
	{ "nodeCache.addresses as a string",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':'169."
	  "254.20.10','steer':'pod'}",
	  "nodeCache.addresses", "error",
	  "expected a list, got \"169.254.20.10\"; write [\"169.254.20.10\"]" },
	{ "nodeCache.addresses that is loopback",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['127."
	  "0.0.1'],'steer':'pod'}",
	  "nodeCache.addresses[0]", "warning",
	  "\"127.0.0.1\" is a loopback address: in a pod it leads to the pod itself" },
	{ "nodeCache.addresses in clusterDNS",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['10."
	  "96.0.10'],'steer':'pod'}",
	  "nodeCache.addresses[0]", "error",
	  "\"10.96.0.10\" is in clusterDNS too, and has no partner in fallback" },
	{ "nodeCache.addresses of the other family",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['fd00:"
	  ":1'],'steer':'pod'}",
	  "clusterDNS", "warning",
	  "nodeCache.addresses has no partner for 10.96.0.10: not steered" },
	{ "nodeCache without steer",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['169."
	  "254.20.10']}",
	  "nodeCache.steer", "warning",
	  "no query goes to the cache: steer is off, and no rule sets it" },
	{ "nodeCache.steer misspelt",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['169."
	  "254.20.10'],'steer':'Pod'}",
	  "nodeCache.steer", "error",
	  "expected one of off, pod, node, dnat, nameserver, got \"Pod\" (did you mean \"pod\"?)" },
	{ "nodeCache.steer as a bool",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['169."
	  "254.20.10'],'steer':true}",
	  "nodeCache.steer", "error",
	  "expected one of off, pod, node, dnat, nameserver, got true" },
	{ "nodeCache.failopen",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['169."
	  "254.20.10'],'steer':'pod','failopen':true}",
	  "nodeCache.failopen", "error", "unknown key (did you mean \"failOpen\"?)" },
	{ "nodeCache.failOpen with dnat",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['169."
	  "254.20.10'],'steer':'dnat','failOpen':true}",
	  "nodeCache.failOpen", "error", "true is not possible with nodeCache.steer \"dnat\"" },
	{ "nodeCache.fallback that is a cache",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['169."
	  "254.20.10'],'steer':'pod','fallback':['169.254.20.10']}",
	  "nodeCache.fallback[0]", "error", "\"169.254.20.10\" is in addresses too" },
	{ "nodeCache.timers in seconds",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['169."
	  "254.20.10'],'steer':'pod','timers':{'alive':1}}",
	  "nodeCache.timers.alive", "error", "expected an integer from 20 to 3600000, got 1" },
	{ "nodecache",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodecache':{'addresses':['169."
	  "254.20.10']}",
	  "nodecache", "warning", "unknown key, ignored (did you mean \"nodeCache\"?)" },
	{ "nodeCache and no clusterDNS",
	  "'capabilities':{'dns':true},'nodeCache':{'addresses':['169.254.20.10'],'steer':'pod'}",
	  "nodeCache", "warning", "there is no clusterDNS whose queries could be steered" },
	{ "tcp as a string",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['169."
	  "254.20.10'],'steer':'pod','tcp':'yes'}",
	  "nodeCache.tcp", "error", "expected true or false, got \"yes\"" },
	{ "limits below zero",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'limits':{'nameservers':-1}",
	  "limits.nameservers", "error", "expected an integer from 1 to 256, got -1" },
	{ "limits as a string",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'limits':{'searches':'6'}",
	  "limits.searches", "error", "expected an integer from 1 to 256, got \"6\"" },
	{ "guards as a bool",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'guards':true", "guards",
	  "error", "expected one of fix, warn, off, got true" },
	{ "mode misspelt",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'mode':'enforced'", "mode",
	  "error",
	  "expected one of enforce, observe, off, got \"enforced\" (did you mean \"enforce\"?)" },
	{ "onPodError misspelt",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'onPodError':'warn'",
	  "onPodError", "error", "expected one of fail, ignore, got \"warn\"" },
	{ "targets as a string",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'targets':'auto'", "targets",
	  "error", "expected a list, got \"auto\"; write [\"auto\"]" },
	{ "a target misspelt",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'targets':['sandboxes']",
	  "targets[0]", "error",
	  "\"sandboxes\" is neither auto, sandbox, late, rootfs, netns nor an absolute path (with "
	  "{containerID} in it)" },
	{ "podMay with a wrong word",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'podMay':['policy']",
	  "podMay[0]", "error",
	  "expected one of dnsPolicy, nameservers, searches, options, got \"policy\"" },
	{ "podMay without the annotations",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'podMay':['dnsPolicy']",
	  "capabilities", "warning",
	  "podMay lets pods ask, and without \"io.kubernetes.cri.pod-annotations\" no annotation "
	  "is seen" },
	{ "configFile relative",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'configFile':'pod-dns.json'",
	  "configFile", "error", "\"pod-dns.json\" is not an absolute path" },
	{ "configFile that is not there",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'configFile':'/nonexistent/"
	  "pod-dns.json'",
	  "", "error", "/nonexistent/pod-dns.json: No such file or directory" },
	{ "autopath without a cache",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dnsPolicy':'"
	  "ClusterFirstWithAutopath'",
	  "dnsPolicy", "warning",
	  "ClusterFirstWithAutopath needs pods that are steered to the cache: they get "
	  "ClusterFirst" },
	{ "servers without a cache",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'servers':[{'name':'a','zones':["
	  "'a.example'],'forwardPlugin':{'upstreams':['192.0.2.9']},'clusterKnows':true}]",
	  "servers", "warning", "there is no nodeCache that would serve these zones" },
	{ "capabilities as a list", "'capabilities':['dns'],'clusterDNS':['10.96.0.10']",
	  "capabilities", "error",
	  "expected an object, got [\"dns\"]: the runtime would refuse the whole network" },
	{ "capabilities as a bool", "'capabilities':true,'clusterDNS':['10.96.0.10']",
	  "capabilities", "error",
	  "expected an object, got true: the runtime would refuse the whole network" },
	{ "a capability as a string", "'capabilities':{'dns':'true'},'clusterDNS':['10.96.0.10']",
	  "capabilities.dns", "error",
	  "expected true or false, got \"true\": the runtime would refuse the whole network" },
	{ "a capability misspelt",
	  "'capabilities':{'dns':true,'dnspolicy':true},'clusterDNS':['10.96.0.10']",
	  "capabilities", "warning", "\"dnspolicy\" is nothing that pod-dns reads" },
	{ "without capability dns", "'clusterDNS':['10.96.0.10']", "capabilities", "warning",
	  "without \"dns\" containerd does not say what kubelet decided: on containerd 2.x each "
	  "pod is decided late" },
	{ "dns as a list",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dns':['10.96.0.10']", "dns",
	  "error",
	  "expected an object, got [\"10.96.0.10\"]: the runtime would refuse the whole network" },
	{ "dns.nameservers as a string",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'dns':{'nameservers':'10.96.0."
	  "10'}",
	  "dns.nameservers", "error",
	  "expected a list, got \"10.96.0.10\": the runtime would refuse the whole network" },
	{ "ipam as a string",
	  "'capabilities':{'dns':true},'clusterDNS':['10.96.0.10'],'ipam':'host-local'", "ipam",
	  "error",
	  "expected an object, got \"host-local\": the runtime would refuse the whole network" },
	{ "pod-dns is the first",
	  "{'cniVersion':'1.0.0','name':'n','plugins':[{'type':'pod-dns','capabilities':{'dns':"
	  "true},'clusterDNS':['10.96.0.10']}]}",
	  "plugins[0]", "error",
	  "pod-dns is not chained: it needs the result of a plugin before it" },
	{ "pod-dns twice",
	  "{'cniVersion':'1.0.0','name':'n','plugins':[{'type':'bridge'},{'type':'pod-dns','"
	  "capabilities':{'dns':true},'clusterDNS':['10.96.0.10']},{'type':'pod-dns','capabilities'"
	  ":{'dns':true},'clusterDNS':['10.96.0.10']}]}",
	  "plugins[2]", "error", "pod-dns appears twice in plugins: remove one" },
	{ "a plugin behind it that drops its work",
	  "{'cniVersion':'1.0.0','name':'n','plugins':[{'type':'bridge'},{'type':'pod-dns','"
	  "capabilities':{'dns':true},'clusterDNS':['10.96.0.10']},{'type':'macvlan'}]}",
	  "plugins[2]", "warning",
	  "macvlan makes a result of its own: the dns that pod-dns puts into it is dropped; "
	  "pod-dns must be the last" },
	{ "no cniVersion",
	  "{'name':'n','plugins':[{'type':'bridge'},{'type':'pod-dns','capabilities':{'dns':true},'"
	  "clusterDNS':['10.96.0.10']}]}",
	  "cniVersion", "error", "missing: it would be 0.1.0, without CHECK, GC and STATUS" },
	{ "cniVersion as a number",
	  "{'cniVersion':1.0,'name':'n','plugins':[{'type':'bridge'},{'type':'pod-dns','"
	  "capabilities':{'dns':true},'clusterDNS':['10.96.0.10']}]}",
	  "cniVersion", "error", "is not a string" },
	{ "cniVersion of the future",
	  "{'cniVersion':'9.0.0','name':'n','plugins':[{'type':'bridge'},{'type':'pod-dns','"
	  "capabilities':{'dns':true},'clusterDNS':['10.96.0.10']}]}",
	  "cniVersion", "error", "\"9.0.0\" is not a version that pod-dns knows" },
	{ "no name",
	  "{'cniVersion':'1.0.0','plugins':[{'type':'bridge'},{'type':'pod-dns','capabilities':{'"
	  "dns':true},'clusterDNS':['10.96.0.10']}]}",
	  "", "error", "name: missing: the network has no name" },
	{ "a name with a slash",
	  "{'cniVersion':'1.0.0','name':'a/"
	  "b','plugins':[{'type':'bridge'},{'type':'pod-dns','capabilities':{'dns':true},'"
	  "clusterDNS':['10.96.0.10']}]}",
	  "name", "error",
	  "\"a/b\" is not a network's name: letters, digits, and after the first of them . _ and "
	  "-" },
	{ "another plugin without a type",
	  "{'cniVersion':'1.0.0','name':'n','plugins':[{'bridge':'cni0'},{'type':'pod-dns','"
	  "capabilities':{'dns':true},'clusterDNS':['10.96.0.10']}]}",
	  "plugins[0].type", "error", "missing: the runtime would refuse the whole network" },
	{ "another plugin's capabilities",
	  "{'cniVersion':'1.0.0','name':'n','plugins':[{'type':'portmap','capabilities':{'"
	  "portMappings':'true'}},{'type':'pod-dns','capabilities':{'dns':true},'clusterDNS':['10."
	  "96.0.10']}]}",
	  "plugins[0].capabilities.portMappings", "error",
	  "expected true or false, got \"true\": the runtime would refuse the whole network" },
	{ "another plugin that is a string",
	  "{'cniVersion':'1.0.0','name':'n','plugins':['bridge',{'type':'pod-dns','capabilities':{'"
	  "dns':true},'clusterDNS':['10.96.0.10']}]}",
	  "plugins[0]", "error",
	  "expected an object, got \"bridge\": the runtime would refuse the whole network" },
	{ "type pod_dns",
	  "{'cniVersion':'1.0.0','name':'n','plugins':[{'type':'bridge'},{'type':'pod_dns'}]}", "",
	  "error", "no plugin of type \"pod-dns\" (plugins[1] is \"pod_dns\")" },
	{ "no pod-dns", "{'cniVersion':'1.0.0','name':'n','plugins':[{'type':'bridge'}]}", "",
	  "error", "no plugin of type \"pod-dns\"" },
	{ "the object alone",
	  "{'type':'pod-dns','capabilities':{'dns':true},'clusterDNS':['10.96.0.10']}", "", "error",
	  "this is the object of one plugin, not a conflist with \"plugins\"" },
	{ "a comma behind the last key", "={\"name\":\"n\",}", "", "error",
	  "line 1, column 13: there is a comma before the closing bracket" },
	{ "a comment", "={\"name\":\"n\" // mine\n}", "", "error",
	  "line 1, column 13: JSON has no comments" },
	{ "YAML", "=cniVersion: 1.0.0\nname: n\n", "", "error",
	  "line 1, column 10: this looks like YAML; a conflist is JSON" },
	{ "an empty file", "= \n", "", "error", "line 2, column 0: the file is empty" },
	{ "a byte order mark", "=\xEF\xBB\xBF{\"name\":\"n\"}", "", "error",
	  "line 1, column 1: the file begins with a byte order mark: sed -i "
	  "'1s/^\\xEF\\xBB\\xBF//' removes it" },
	{ "a bracket is missing", "={\"name\":\"n\"", "", "error",
	  "line 1, column 11: '}' expected near end of file" },
};

static char file[] = "/tmp/pod-dns-mistake-XXXXXX";

static void write_mistake(const char *text)
{
	FILE *out = fopen(file, "we");
	const bool whole = *text == '=', list = *text == '{';

	assert_non_null(out);
	if (!whole && !list)
		(void)fputs("{\"cniVersion\":\"1.0.0\",\"name\":\"n\",\"plugins\":[{\"type\":"
			    "\"bridge\"},{\"type\":\"pod-dns\",",
			    out);
	for (text += whole; *text; text++)
		(void)fputc(*text == '\'' && !whole ? '"' : *text, out);
	if (!whole && !list)
		(void)fputs("}]}", out);
	assert_int_equal(fclose(out), 0);
}

static void is_told(void **state)
{
	static struct findings findings; /* large */
	const struct mistake *m = *state;
	struct arena arena = { 0 };
	bool found = false;

	write_mistake(m->text);
	findings = (struct findings){ .arena = &arena };
	check_conflist(file, NULL, &findings);
	for (size_t i = 0; i < findings.n && !found; i++) {
		const struct finding *at = &findings.at[i];
		const char *severity = at->severity == SEVERITY_ERROR ? "error" : "warning";

		found = strcmp(at->path, m->path) == 0 && strcmp(severity, m->severity) == 0 &&
			strstr(at->text, m->says);
	}
	for (size_t i = 0; i < findings.n && !found; i++)
		print_message("%s: %s\n", findings.at[i].path, findings.at[i].text);
	arena_done(&arena);
	assert_true(found);
}

int main(void)
{
	int fd = mkstemp(file), failed;

	assert_true(fd >= 0);
	(void)close(fd);
	failed = RUN_ROWS("mistakes", mistakes, is_told);
	(void)unlink(file);
	return failed;
}
