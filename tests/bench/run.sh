#!/bin/sh
# Compares linelint's speed and memory with pahole's on Debian's 6.12 kernel, in one run: `make bench`.
#
#   LINELINT        the program (default ./linelint)
#   LINELINT_CACHE  where the kernel is kept, see tests/check-vmlinux.sh
#   BENCH_ROUNDS    rounds (default 5, at least 3): every round runs every command once, pahole and linelint in turn
#   BENCH_OUT       where the samples go, a file a command, as ministat reads them (default build/bench)
#
# First what searching orders and recording programs cost; then time against size, and kinds of debug information, on
# generated programs. Then a Markdown table of Debian's kernel, and ministat's verdicts. Targets are printed, never asserted.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
linelint=${LINELINT:-./linelint}

[ -x "$linelint" ] || { echo "bench: no program at $linelint; run make, or set LINELINT" >&2; exit 1; }
for tool in pahole ministat gcc g++ clang dwz ld objcopy readelf /usr/bin/python3; do
	command -v "$tool" >/dev/null || { echo "bench: $tool is missing; run make deps" >&2; exit 1; }
done
BUILD=$(dirname "$(readlink -f "$linelint")") "$here/order.py"
BUILD=$(dirname "$(readlink -f "$linelint")") "$here/record.py"
"$here/sizes.py" --linelint "$linelint"
"$here/kinds.py" --linelint "$linelint"

kernels=$("$here/../check-vmlinux.sh" --fetch)
vmlinux=$(printf '%s\n' "$kernels" | head -n 1)

exec /usr/bin/python3 "$here/bench.py" --linelint "$linelint" --rounds "${BENCH_ROUNDS:-5}" \
	--out "${BENCH_OUT:-build/bench}" "$vmlinux"
