# A plugin after pod-dns in the chain. At it, pod-dns has answered ADD and containerd 2.x has written nothing yet.

gate=$temp/gate

# What the gate does at ADD before the result goes on, in bash.
at_gate() { # COMMANDS
	echo "$1" >"$gate"
	rm -f "$gate".{reached,passed,failed}
}

close_gate() {
	at_gate "touch $gate.reached; until [[ -e $gate.passed ]]; do [[ ! -e $gate.failed ]]; sleep 0.01; done"
}

open_gate() {
	touch "$gate.passed"
}

fail_gate() {
	touch "$gate.failed"
}

gate_is_reached() {
	[[ -e $gate.reached ]]
}

# The child that waits for the runtime's file is killed before it can write: what kill -9 and the OOM killer do.
# Another pod's gate may have killed it, so there is an end to looking for it.
kill_at_gate() {
	at_gate "$(declare -f late_children lives within a_child_waits no_late_children)
	! grep -qs '\"late\": *\"pending\"' /run/pod-dns/lab/\$CNI_CONTAINERID@eth0.json || within 2 a_child_waits || true
	for child in \$(late_children); do kill -KILL \$child; done"
}

# The network's chain with the gate at its end.
gated_network() { # KEYS_OF_POD_DNS [CNI_VERSION]
	cat >"$cni_bin/gate" <<-END
		#!/bin/bash -e
		[[ \$CNI_COMMAND == ADD ]] || exit 0
		. $gate >&2
		jq -c .prevResult
	END
	chmod +x "$cni_bin/gate"
	at_gate true
	write_conflist "${2:-$(newest_cni)}" "$1"
	jq '.plugins += [{ type: "gate" }]' "$net/10-lab.conflist" >"$temp/gated"
	mv "$temp/gated" "$net/10-lab.conflist"
	stop containerd
	start_containerd
}

# The process namespace is the lab's own: all of these are.
late_children() {
	local comm

	for comm in $(grep -lsx pod-dns-late /proc/[0-9]*/comm); do
		comm=${comm%/comm}
		! lives "${comm#/proc/}" || echo "${comm#/proc/}"
	done
}

no_late_children() {
	[[ -z $(late_children) ]]
}

a_child_waits() {
	! no_late_children
}
