#!/bin/sh
# The five cases of layouts/cases.tsv, compiled with -g on the spot: the report before, and the report after.
# Usage: layouts/demo.sh [CASE...]     (from the top of the source tree; LINELINT and CC may be set)
set -eu

linelint=${LINELINT:-./linelint}
cc=${CC:-cc}
out=build/layouts
tab=$(printf '\t')
bold='' dim='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
	bold=$(printf '\033[1m') dim=$(printf '\033[2m') plain=$(printf '\033[0m')
fi
mkdir -p "$out"

# "Case 1: the table of open files ..." is what the source says of itself.
title() {
	sed -n '2{s/^ \* //;s/\.$//;p;q;}' "$1"
}

shown='' failed=0
while IFS="$tab" read -r case step source variant bits compiled line structs profile show _ note; do
	case $case in '#'* | case | '') continue ;; esac
	[ "$show" = demo ] || continue
	[ $# = 0 ] || case " $* " in *" $case "*) ;; *) continue ;; esac

	if [ "$shown" != "$source" ]; then
		printf '\n%s%s%s\n' "$bold" "$(title "layouts/$source")" "$plain"
		shown=$source
	fi
	binary=$out/${source%.c}-$step.o
	flags="-std=gnu11 -g -DVARIANT=$variant -DLINE=$compiled"
	[ "$bits" = 64 ] || flags="$flags -m$bits"
	# shellcheck disable=SC2086 # flags are words
	if ! "$cc" $flags -c "layouts/$source" -o "$binary" 2> "$binary.log"; then
		printf '\n%s%s%s: not shown, this compiler makes no %s-bit code\n' "$bold" "$step" "$plain" "$bits"
		[ "$bits" != 64 ] || { cat "$binary.log" >&2; failed=1; }
		continue
	fi

	printf '\n%s%s%s: %s\n' "$bold" "$step" "$plain" "$note"
	printf '%s$ ./linelint --verbose --profile layouts/%s --line-size %s %s struct %s%s\n\n' \
		"$dim" "$profile" "$line" "$binary" "$structs" "$plain"
	status=0
	# shellcheck disable=SC2086 # structs are words
	"$linelint" --verbose --profile "layouts/$profile" --line-size "$line" "$binary" struct $structs || status=$?
	# 1 is what a report with errors in it says; that is what the cases are for.
	[ "$status" -le 1 ] || failed=1
done < layouts/cases.tsv
exit "$failed"
