#!/bin/sh
# Compares linelint with pahole on Debian's kernels, and runs the precision tests on them: `make check-vmlinux`.
#
#   LINELINT        the program (default ./linelint)
#   LINELINT_CACHE  where the kernels are kept (default $XDG_CACHE_HOME/linelint, else ~/.cache/linelint); about 930 MB.
#                   A kernel that is there is used as it is, without the network: delete it to get the newest.
#
# With --fetch it only makes sure that the kernels are there, and prints their paths, newest first.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
linelint=${LINELINT:-./linelint}
cache=${LINELINT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/linelint}

fail() {
	echo "check-vmlinux: $*" >&2
	exit 1
}

# Debian keeps no old versions, so the package is found through its meta package, whose name stays.
newest_package() {
	apt-cache depends "$1" 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-.*-dbg\)$/\1/p' | head -n 1
}

update_lists() {
	if [ "$(id -u)" = 0 ]; then
		apt-get -q update >&2
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
		sudo -n apt-get -q update >&2
	fi
}

# kernel SERIES META: the path of that series' vmlinux, which is fetched when it is not there.
kernel() {
	for file in "$cache/vmlinux-$1."*; do
		if [ -s "$file" ]; then
			echo "$file"
			return
		fi
	done
	command -v apt-get >/dev/null || fail "no kernel $1 in $cache, and no apt-get to fetch one; put a" \
		"vmlinux-$1.* with debug information there"
	package=$(newest_package "$2")
	if [ -z "$package" ]; then
		update_lists || fail "apt-get update failed; connect to the network, or put a vmlinux-$1.* into $cache"
		package=$(newest_package "$2")
	fi
	[ -n "$package" ] || fail "no package $2 in apt's lists; run apt-get update (sources of Debian 12 with" \
		"bookworm-security), or put a vmlinux-$1.* with debug information into $cache"

	mkdir -p "$cache"
	scratch=$(mktemp -d "$cache/fetch.XXXXXX")
	trap 'rm -rf "$scratch"' EXIT INT TERM
	echo "check-vmlinux: fetching $package (about 300 MB) into $cache" >&2
	if ! (cd "$scratch" && apt-get -q download "$package" >&2); then
		# Lists that are out of date name a version that is gone.
		update_lists || true
		package=$(newest_package "$2")
		(cd "$scratch" && apt-get -q download "$package" >&2) ||
			fail "cannot download $package; connect to the network, or put a vmlinux-$1.* into $cache"
	fi
	mkfifo "$scratch/pipe"
	dpkg-deb --fsys-tarfile "$scratch"/*.deb >"$scratch/pipe" &
	tar -x -C "$scratch" --wildcards --strip-components=5 '*/boot/vmlinux-*' <"$scratch/pipe" ||
		fail "$package has no vmlinux"
	wait $! || fail "$package is damaged; run again"
	for file in "$scratch"/vmlinux-"$1".*; do
		[ -s "$file" ] || fail "$package has no vmlinux-$1.*"
		mv "$file" "$cache/"
		rm -rf "$scratch"
		trap - EXIT INT TERM
		echo "$cache/${file##*/}"
		return
	done
}

# Command substitution first, so that a failure ends the script.
new=$(kernel 6.12 linux-image-6.12-cloud-amd64-dbg)
old=$(kernel 6.1 linux-image-cloud-amd64-dbg)
if [ "${1:-}" = --fetch ]; then
	printf '%s\n' "$new" "$old"
	exit 0
fi

[ -x "$linelint" ] || fail "no program at $linelint; run make, or set LINELINT"
for tool in pahole /usr/bin/python3; do
	command -v "$tool" >/dev/null || fail "$tool is missing; run make deps"
done
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || fail "python3-jsonschema is missing; run make deps"

exec /usr/bin/python3 "$here/vmlinux/check.py" --linelint "$linelint" "$new" "$old"
