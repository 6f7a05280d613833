# bash completion for linelint(1): verbs, options and their values, files, and the names of structs in the binary.
# shellcheck shell=bash

_linelint_words()
{
	local word
	COMPREPLY=()
	while IFS= read -r word; do
		COMPREPLY+=("$word")
	done < <(compgen -W "$1" -- "$2")
}

_linelint_files()
{
	local word
	COMPREPLY=()
	compopt -o filenames 2>/dev/null
	while IFS= read -r word; do
		COMPREPLY+=("$word")
	done < <(compgen -f -- "$1")
}

# The values of an option; fails for one that takes none.
_linelint_value()
{
	case $1 in
	--format) _linelint_words 'text json commit c-asserts' "$2" ;;
	--fail-on) _linelint_words 'error warning info never' "$2" ;;
	--sort) _linelint_words 'name size lines holes padding' "$2" ;;
	--color) _linelint_words 'auto always never' "$2" ;;
	--line-size) _linelint_words '32 64 128 256' "$2" ;;
	--suggest) _linelint_words 'minimal best pack none' "$2" ;;
	--from) _linelint_words 'dwarf btf' "$2" ;;
	--profile | --also | --output | --source | --debug-dir | --btf-base) _linelint_files "$2" ;;
	--at | --min-size | --min-holes | --threads | --seed | --jobs) COMPREPLY=() ;;
	*) return 1 ;;
	esac
}

# Names in a binary that begin with what is there already; nothing is asked of the binary before the first letter.
_linelint_names()
{
	[[ -n $2 && -r $1 ]] || return 0
	_linelint_words "$("${COMP_WORDS[0]}" --quiet "$1" list "$2*" 2>/dev/null | awk '{ print $2 }')" "$2"
}

_linelint()
{
	local options='--profile --also --format --output --line-size --fail-on --at --all --expand --hex --all-definitions --sort
		--min-size --min-holes --threads --seed --suggest --from --btf-base --debug-dir --vars --source --in-place --jobs --color --quiet --verbose --version --help'
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} word i
	local words=()
	COMPREPLY=()

	# bash takes --opt=VALUE apart into three words
	if [[ $current == = ]]; then
		current=
	elif [[ $previous == = ]] && ((COMP_CWORD > 1)); then
		previous=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	_linelint_value "$previous" "$current" && return
	if [[ $current == -* ]]; then
		_linelint_words "$options" "$current"
		return
	fi

	# what stands before, without options and their values
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		case $word in
		--profile | --also | --format | --output | --line-size | --fail-on | --at | --sort | --min-size | --min-holes | \
			--threads | --seed | --suggest | --source | --from | --btf-base | --debug-dir | --jobs | --color)
			[[ ${COMP_WORDS[i + 1]} == = ]] && i=$((i + 1))
			i=$((i + 1))
			;;
		-*) ;;
		*) words+=("$word") ;;
		esac
	done

	case ${#words[@]}:${words[0]} in
	0:)
		_linelint_files "$current"
		while IFS= read -r word; do
			COMPREPLY+=("$word")
		done < <(compgen -W 'profile explain' -- "$current")
		;;
	1:profile) _linelint_words 'init import merge show' "$current" ;;
	*:explain)
		_linelint_words "$("${COMP_WORDS[0]}" explain 2>/dev/null | grep -o "^LL[0-9][0-9][0-9]")" "$current"
		;;
	2:profile)
		if [[ ${words[1]} == import ]]; then
			_linelint_words 'record' "$current"
		else
			_linelint_files "$current"
		fi
		;;
	*:profile)
		if [[ ${words[1]} != init ]]; then
			_linelint_files "$current"
		else
			_linelint_names "${words[2]}" "$current"
		fi
		;;
	1:*) _linelint_words 'struct union class list check diff patch replay vars' "$current" ;;
	2:*)
		if [[ ${words[1]} == diff ]]; then
			_linelint_files "$current"
		else
			_linelint_names "${words[0]}" "$current"
		fi
		;;
	3:*)
		if [[ ${words[1]} == replay ]]; then
			_linelint_files "$current"
		else
			_linelint_names "${words[0]}" "$current"
		fi
		;;
	*) _linelint_names "${words[0]}" "$current" ;;
	esac
}

complete -F _linelint linelint
