#!/usr/bin/env bash
# The shell of SQLite 3.40.1 (Debian 12), which has the extension "decimal" built in.
# Expected: decimal_cmp and the collation DECIMAL compare amounts as numbers, so 1.5 and 1.50 are equal, and
# what was paid in and out adds up to 0.
# Really: of two equal amounts, the one with more zeros behind the point is greater:
# decimal_cmp('1.5', '1.50') is -1, = is false, and DISTINCT and UNIQUE keep both. 1.50 and -1.5 add up to
# 0.00, which decimal_cmp says is more than 0, so books that are right fail such a check. Amounts that are
# not equal are in the right order.
# What follows: take the zeros off both sides before amounts and sums are compared.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download sqlite3 libsqlite3-0 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH
usr/bin/sqlite3 -version | grep -q "^3.40.1 " || { echo "needs SQLite 3.40.1" >&2; exit 1; }
seen=$(usr/bin/sqlite3 :memory: "
  select decimal_cmp('1.5', '1.50'), '1.5' = '1.50' collate decimal, decimal_cmp('10.5', '9.75');
  create table paid (points text collate decimal unique);
  insert into paid values ('1.5'), ('1.50'), ('-1.5'), ('-1.50');
  select count(distinct points), decimal_sum(points), decimal_cmp(decimal_sum(points), '0') from paid;")
wanted='-1|0|1
4|0.00|1'
[ "$seen" = "$wanted" ] || { printf 'SQLite answered\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: the decimals of SQLite's shell differ by the zeros behind the point"
