# A cluster of one node: etcd, an API server, controllers and a scheduler, in the lab's own network; kubelet is
# lib/kubelet.sh's. kubectl asks it.

node_address=172.30.0.2
export KUBECONFIG=$temp/cluster/kubeconfig

start_cluster() {
	mkdir -p "$temp"/cluster/{etcd,api,controllers,scheduler}
	cluster_network
	cluster_files
	start etcd etcd --data-dir "$temp/cluster/etcd" --listen-client-urls http://127.0.0.1:2379 \
		--advertise-client-urls http://127.0.0.1:2379 --listen-peer-urls http://127.0.0.1:2380
	start api kube-apiserver --etcd-servers http://127.0.0.1:2379 --service-cluster-ip-range 10.96.0.0/16 \
		--token-auth-file "$temp/cluster/tokens" --authorization-mode AlwaysAllow \
		--service-account-key-file "$temp/cluster/sa.pub" --service-account-signing-key-file "$temp/cluster/sa.key" \
		--service-account-issuer https://kubernetes.default.svc --cert-dir "$temp/cluster/api" \
		--advertise-address "$node_address" --allow-privileged
	within 60 api_answers || fail "the API server does not answer"
	start controllers kube-controller-manager --kubeconfig "$KUBECONFIG" --leader-elect=false \
		--service-account-private-key-file "$temp/cluster/sa.key" --root-ca-file "$temp/cluster/api/apiserver.crt" \
		--authentication-kubeconfig "$KUBECONFIG" --authorization-kubeconfig "$KUBECONFIG" \
		--cert-dir "$temp/cluster/controllers"
	start scheduler kube-scheduler --kubeconfig "$KUBECONFIG" --leader-elect=false \
		--authentication-kubeconfig "$KUBECONFIG" --authorization-kubeconfig "$KUBECONFIG" \
		--cert-dir "$temp/cluster/scheduler"
	start_kubelet --kubeconfig "$KUBECONFIG" --node-ip "$node_address"
}

# kubelet and the API server want an address and a default route.
cluster_network() {
	ip link add node0 type bridge
	ip addr add "$node_address/24" dev node0
	ip link set node0 up
	ip route add default via 172.30.0.1 dev node0 onlink
}

cluster_files() {
	openssl genrsa -out "$temp/cluster/sa.key" 2048 2>/dev/null
	openssl rsa -in "$temp/cluster/sa.key" -pubout -out "$temp/cluster/sa.pub" 2>/dev/null
	echo 'lab,admin,admin,"system:masters"' >"$temp/cluster/tokens"
	cat >"$KUBECONFIG" <<-END
		apiVersion: v1
		kind: Config
		clusters: [{ name: lab, cluster: { server: "https://$node_address:6443", insecure-skip-tls-verify: true } }]
		users: [{ name: admin, user: { token: lab } }]
		contexts: [{ name: lab, context: { cluster: lab, user: admin } }]
		current-context: lab
	END
}

api_answers() {
	[[ $(kubectl get --raw /readyz 2>/dev/null) == ok ]]
}

has_node() {
	kubectl get node n1 &>/dev/null
}

# Pods are refused until their namespace has an account for them.
has_account() { # NAMESPACE
	kubectl -n "$1" get serviceaccount default &>/dev/null
}
