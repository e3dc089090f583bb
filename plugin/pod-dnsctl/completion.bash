# bash completion of pod-dnsctl. Verbs and options are what the program itself says of them.

_pod_dnsctl() {
	local cur=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} words

	if ((COMP_CWORD == 1)); then
		words="--help --version $(pod-dnsctl --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')"
	elif [[ $cur == -* ]]; then
		words=$(pod-dnsctl "$verb" --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*\|-o\).*/\1/p')
	elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == -o ]]; then
		words="json wide"
	elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == --libc ]]; then
		words="glibc musl"
	elif [[ $verb == help ]]; then
		words=$(pod-dnsctl --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
	elif [[ $verb == steer && $COMP_CWORD == 2 ]]; then
		words="on off"
	elif [[ $verb == @(explain|apply|adopt|steer) ]]; then
		words="--all $(pod-dnsctl list --no-headers -o wide 2>/dev/null | cut -d ' ' -f 1)"
	fi
	if [[ $words ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

complete -o filenames -F _pod_dnsctl pod-dnsctl
