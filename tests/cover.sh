#!/bin/sh
# A table of the lines that were executed, from the counters in a build directory. Usage: tests/cover.sh BUILD
set -eu
build=$1
find "$build" -name '*.gcda' ! -path '*/tests/*' | sort | while read -r counters; do
	gcov -n -r -s . "$counters" 2>/dev/null
done | awk '
	/^File / { file = substr($0, 7, length($0) - 7) }
	/^Lines executed:/ && file ~ /^src\/.*\.c$/ {
		split($0, part, /[:% ]+/)
		printf "%6.1f %% of %5d  %s\n", part[3], part[5], file
		sum += part[3] * part[5] / 100
		all += part[5]
		file = ""
	}
	END { if (all) printf "%6.1f %% of %5d  all\n", 100 * sum / all, all }'
