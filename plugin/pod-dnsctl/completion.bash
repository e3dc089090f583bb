# bash completion of pod-dnsctl. Verbs and options are what the program itself says of them.

_pod_dnsctl() {
	local cur=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} words

	if ((COMP_CWORD == 1)); then
		words="--help --version $(pod-dnsctl --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')"
	elif [[ $cur == -* ]]; then
		words=$(pod-dnsctl "$verb" --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*\|-o\).*/\1/p')
	elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == -o ]]; then
		words=json
	fi
	if [[ $words ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

complete -o filenames -F _pod_dnsctl pod-dnsctl
