#!/usr/bin/env bash
# Shapelib 1.5.0 (Debian 12: shapelib), dbfcreate, dbfadd and dbfdump, for dBASE files, which many bank and accounting
# programs read.
# Expected: an amount that does not fit into its column is refused, or filled up with asterisks, as dBASE does it.
# Really: it is cut off on the right, where it is too long. In a column of 8 digits, two of them behind the point,
# 123456.78 is 123456.7, and 123456789.01 is 12345678, which is a tenth. The same happens to whole numbers: 1234567 is
# 12345 in a column of 5, and -12345 is -1234. What is no plain decimal is read up to the first sign that is none, so
# that 1,234.50 is 1. dbfadd prints nothing, and exits with 0.
# What follows: a list of payments works until somebody is paid more than ever before, and then pays a tenth of it.
# Make columns as wide as the largest amount can be, of up to 20 digits, and compare what was written. This service
# reads and writes no such files; its amounts have up to 38 digits, which no number of dBASE has.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download shapelib=1.5.0-3+b1 libshp2=1.5.0-3+b1 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH
usr/bin/dbfcreate list.dbf -s to 5 -n points 8 2 -n whole 5 0 >/dev/null
row() { usr/bin/dbfdump -r list.dbf | tail -1 | sed 's/  */ /g; s/ $//'; }
add() { usr/bin/dbfadd list.dbf "$@" && echo "$* = $(row)"; }
seen="$(add alice 1234.56 12345)
$(add bob 123456.78 123456)
$(add carol 12345678.90 1234567)
$(add dave 123456789.01 -12345)
$(add erin -123456.78 5)
$(add frank 1,234.50 1e3)"
wanted='alice 1234.56 12345 = alice 1234.56 12345
bob 123456.78 123456 = bob 123456.7 12345
carol 12345678.90 1234567 = carol 12345678 12345
dave 123456789.01 -12345 = dave 12345678 -1234
erin -123456.78 5 = erin -123456. 5
frank 1,234.50 1e3 = frank 1.00 1000'
[ "$seen" = "$wanted" ] || { printf 'The rows were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: dbfadd writes 123456789.01 as 12345678 into a column that is too narrow"
