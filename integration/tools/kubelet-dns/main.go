// kubelet-dns asks kubelet's own code (pkg/kubelet/network/dns) and the API server's own validation
// (pkg/apis/core/validation) what a pod gets, and holds `pod-dnsctl render -o json` to it.
//
//	kubelet-dns generate SEED COUNT DIR   COUNT random pods on random nodes: DIR/N/{pods.json,conflist,node.conf,want.json}
//	kubelet-dns compare DIR               DIR/N/got.json against want.json; prints what differs, exit 1
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/kubelet/network/dns"
	netutils "k8s.io/utils/net"
)

// A node: what kubelet is configured with.
type node struct {
	ClusterDNS    []string
	ClusterDomain string
	ResolvConf    *string // the text of its file; nil: none is configured
	Missing       bool    // one is, and it is not there
}

// What becomes of a pod. Error is why there is none: the API server's words, or kubelet's.
type want struct {
	Pod         string   `json:"pod"`
	Error       string   `json:"error,omitempty"`
	ByKubelet   bool     `json:"byKubelet,omitempty"`
	Nameservers []string `json:"nameservers"`
	Searches    []string `json:"searches"`
	Options     []string `json:"options"`
}

// validate says what the API server would refuse the pod for. It decodes and defaults as the server does.
func validate(pod *v1.Pod) error {
	pod = pod.DeepCopy()
	corev1.SetObjectDefaults_Pod(pod)
	internal := &core.Pod{}
	if err := corev1.Convert_v1_Pod_To_core_Pod(pod, internal, nil); err != nil {
		return err
	}
	opts := podutil.GetValidationOptionsFromPodSpecAndMeta(&internal.Spec, nil, &internal.ObjectMeta, nil)
	opts.ResourceIsPod = true
	return validation.ValidatePodCreate(internal, opts).ToAggregate()
}

func (n *node) kubelet(path string) *dns.Configurer {
	var servers []net.IP

	// As cmd/kubelet/app does: what is no address is dropped.
	for _, text := range n.ClusterDNS {
		if ip := netutils.ParseIPSloppy(text); ip != nil {
			servers = append(servers, ip)
		}
	}
	if n.ResolvConf == nil && !n.Missing {
		path = ""
	}
	recorder := record.NewFakeRecorder(0)
	recorder.Events = nil
	return dns.NewConfigurer(recorder, &v1.ObjectReference{}, nil, servers, n.ClusterDomain, path)
}

func (n *node) want(pod *v1.Pod, path string) want {
	w := want{Pod: pod.Namespace + "/" + pod.Name}

	if err := validate(pod); err != nil {
		w.Error = err.Error()
		return w
	}
	pod = pod.DeepCopy()
	corev1.SetObjectDefaults_Pod(pod)
	got, err := n.kubelet(path).GetPodDNS(context.Background(), pod)
	if err != nil {
		w.Error, w.ByKubelet = err.Error(), true
		return w
	}
	w.Nameservers, w.Searches, w.Options = got.Servers, got.Searches, got.Options
	return w
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "kubelet-dns:", err)
		os.Exit(2)
	}
}

func write(path string, value any) {
	text, err := json.MarshalIndent(value, "", " ")
	check(err)
	check(os.WriteFile(path, append(text, '\n'), 0o644))
}

func read(path string, value any) {
	text, err := os.ReadFile(path)
	check(err)
	check(json.Unmarshal(text, value))
}

const podsPerNode = 100

func generate(seed int64, count int, dir string) {
	dir, err := filepath.Abs(dir) // the nodes' files are named in their conflists
	check(err)
	r := newRandom(seed)
	for i := 0; count > 0; i++ {
		folder := filepath.Join(dir, strconv.Itoa(i))
		check(os.MkdirAll(folder, 0o755))
		n := r.node()
		path := filepath.Join(folder, "node.conf")
		if n.ResolvConf != nil {
			check(os.WriteFile(path, []byte(*n.ResolvConf), 0o644))
		}
		list := v1.PodList{TypeMeta: metav1.TypeMeta{Kind: "List", APIVersion: "v1"}}
		var wants []want
		for range min(count, podsPerNode) {
			pod := r.pod()
			pod.Name = "p" + strconv.Itoa(len(list.Items))
			list.Items = append(list.Items, pod)
			wants = append(wants, n.want(&pod, path))
		}
		count -= len(list.Items)
		write(filepath.Join(folder, "pods.json"), list)
		write(filepath.Join(folder, "want.json"), wants)
		write(filepath.Join(folder, "conflist"), n.conflist(path))
	}
}

// conflist is the node's network: pod-dns with kubelet's settings and no wishes of its own.
func (n *node) conflist(path string) any {
	if n.ResolvConf == nil && !n.Missing {
		path = ""
	}
	return map[string]any{
		"cniVersion": "1.0.0", "name": "net",
		"plugins": []any{
			map[string]any{"type": "bridge"},
			map[string]any{
				"type": "pod-dns", "guards": "off",
				"capabilities":  map[string]bool{"dns": true},
				"clusterDNS":    n.ClusterDNS,
				"clusterDomain": n.ClusterDomain,
				"resolvConf":    path,
			},
		},
	}
}

// What `pod-dnsctl render -o json` prints for a pod of a List.
type got struct {
	Pod   string  `json:"pod"`
	Error *string `json:"error"`
	DNS   struct {
		Nameservers, Searches, Options []string
	} `json:"dns"`
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// differs says how, and nothing where the difference is one of those on purpose (pod-dnsctl(8), render).
func differs(n *node, pod *v1.Pod, w *want, g *got) string {
	if w.Pod != g.Pod {
		return "is not " + w.Pod
	}
	if g.Error != nil {
		if w.Error != "" || hasBlankOption(pod) {
			return ""
		}
		return "refused: " + *g.Error
	}
	if w.Error != "" && w.ByKubelet && pod.Spec.DNSPolicy == v1.DNSNone {
		return "" // the node's file is read where the policy needs it
	}
	if w.Error != "" {
		return "not refused: " + w.Error
	}
	if inheritsNothing(n, pod) {
		return ""
	}
	if slices.Equal(w.Nameservers, g.DNS.Nameservers) && slices.Equal(w.Searches, g.DNS.Searches) &&
		slices.Equal(sorted(w.Options), sorted(g.DNS.Options)) { // kubelet's order is random
		return ""
	}
	return fmt.Sprintf("%q, wanted %q %q %q", g.DNS, w.Nameservers, w.Searches, w.Options)
}

// Kubernetes lets blanks and control characters into options; pod-dns does not.
func hasBlankOption(pod *v1.Pod) bool {
	if pod.Spec.DNSConfig == nil {
		return false
	}
	return slices.ContainsFunc(pod.Spec.DNSConfig.Options, func(o v1.PodDNSConfigOption) bool {
		text := o.Name
		if o.Value != nil {
			text += *o.Value
		}
		return strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c == 0x7f || c == 0x85 || c == 0xa0 })
	})
}

// With resolvConf "", kubelet's 127.0.0.1 serves the host's own network alone.
func inheritsNothing(n *node, pod *v1.Pod) bool {
	noCluster := (&node{ClusterDNS: n.ClusterDNS}).countServers() == 0
	return n.ResolvConf == nil && !n.Missing && !pod.Spec.HostNetwork &&
		(pod.Spec.DNSPolicy == v1.DNSDefault || pod.Spec.DNSPolicy != v1.DNSNone && noCluster)
}

func (n *node) countServers() (count int) {
	for _, text := range n.ClusterDNS {
		if netutils.ParseIPSloppy(text) != nil {
			count++
		}
	}
	return count
}

func compare(dir string) {
	folders, err := os.ReadDir(dir)
	check(err)
	pods, faults, refused := 0, 0, 0
	for _, folder := range folders {
		var (
			n     node
			list  v1.PodList
			wants []want
			gots  []got
		)
		path := filepath.Join(dir, folder.Name())
		n.read(path)
		read(filepath.Join(path, "pods.json"), &list)
		read(filepath.Join(path, "want.json"), &wants)
		read(filepath.Join(path, "got.json"), &gots)
		if len(gots) != len(wants) {
			fmt.Printf("%s: %d pods, wanted %d\n", path, len(gots), len(wants))
			faults++
			continue
		}
		for i := range wants {
			pods++
			if wants[i].Error != "" {
				refused++
			}
			if how := differs(&n, &list.Items[i], &wants[i], &gots[i]); how != "" {
				fmt.Printf("%s: %s: %s\n", path, gots[i].Pod, how)
				faults++
			}
		}
	}
	fmt.Printf("%d pods, %d of them refused by both; %d differ\n", pods, refused, faults)
	if faults > 0 || pods == 0 {
		os.Exit(1)
	}
}

func (n *node) read(path string) {
	var conflist struct{ Plugins []map[string]json.RawMessage }

	read(filepath.Join(path, "conflist"), &conflist)
	own := conflist.Plugins[1]
	var file string
	check(json.Unmarshal(own["clusterDNS"], &n.ClusterDNS))
	check(json.Unmarshal(own["clusterDomain"], &n.ClusterDomain))
	check(json.Unmarshal(own["resolvConf"], &file))
	if file == "" {
		return
	}
	if text, err := os.ReadFile(file); err == nil {
		s := string(text)
		n.ResolvConf = &s
	} else {
		n.Missing = true
	}
}

func main() {
	switch {
	case len(os.Args) == 5 && os.Args[1] == "generate":
		seed, err := strconv.ParseInt(os.Args[2], 10, 64)
		check(err)
		count, err := strconv.Atoi(os.Args[3])
		check(err)
		generate(seed, count, os.Args[4])
	case len(os.Args) == 3 && os.Args[1] == "compare":
		compare(os.Args[2])
	default:
		fmt.Fprintln(os.Stderr, "usage: kubelet-dns generate SEED COUNT DIR | compare DIR")
		os.Exit(2)
	}
}
