#!/bin/sh
# Installs those of the Debian packages named that are missing: without questions as root or with sudo, otherwise it
# prints the one command to run and fails. Quick when all are there. Usage: tests/deps.sh PACKAGE...
set -eu

if ! command -v dpkg-query >/dev/null; then
	echo "deps: not a Debian system; what Debian calls these must be installed: $*" >&2
	exit 0
fi

installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p') || true
missing=""
for package; do
	printf '%s\n' "$installed" | grep -qx -- "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
	as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
	as_root='sudo -n'
else
	echo "deps: packages are missing and this is neither root nor sudo without a password; run this as root, then again:" >&2
	echo "    apt-get update && $install" >&2
	exit 1
fi

echo "deps: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
apt() {
	# shellcheck disable=SC2086 # words
	$as_root apt-get -q -o DPkg::Lock::Timeout=300 "$@"
}
# Lists that are empty or out of date are the usual reason to fail; a machine that has them needs no network for them.
# shellcheck disable=SC2086 # words
apt install -y --no-install-recommends $missing >&2 || {
	apt update >&2
	apt install -y --no-install-recommends $missing >&2
}
