#!/usr/bin/env bash
# Gnumeric 1.12.55 (Debian gnumeric 1.12.55-1, amd64), ssconvert.
# Expected: a spreadsheet's numbers are doubles, so that 17 digits say everything about them, in .xlsx and CSV as well.
# Really: on this platform it calculates with 64 binary digits and writes up to 21 decimal ones. An amount of 0.02 is
# stored as 0.0199999999999999999996, 0.1+0.2 as 0.300000000000000000011, and CSV has 8433433379.2200000002 for
# 8433433379.22. Even the numbers in the text of a formula are rewritten so.
# What follows: terms/file/number-format.ts takes noise beyond the 17th digit away in a workbook, and proposes
# the amount that was meant in CSV and JSON, which can be exact.
set -euo pipefail

command -v ssconvert >/dev/null || { echo "ssconvert is missing: apt-get install gnumeric=1.12.55-1"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
printf '0.02\n8433433379.22\n=0.1+0.2\n' >"$dir/in.csv"
ssconvert "$dir/in.csv" "$dir/out.xlsx" 2>/dev/null
ssconvert "$dir/in.csv" "$dir/out.csv" 2>/dev/null
stored=$(unzip -p "$dir/out.xlsx" xl/worksheets/sheet1.xml | grep -oE '<[vf]>[^<]+' | tr '\n' ' ')
seen="$stored| $(tr '\n' ' ' <"$dir/out.csv")"
wanted='<v>0.0199999999999999999996 <v>8433433379.2200000002 <f>0.100000000000000000001+0.200000000000000000003 <v>0.300000000000000000011 | 0.02 8433433379.2200000002 0.3 '
[ "$seen" = "$wanted" ] || { printf 'Gnumeric wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: Gnumeric writes amounts with up to 21 digits, the last of which are its own rounding"
