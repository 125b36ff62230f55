#!/usr/bin/env bash
# Ledger 3.3.0 (Debian 12): equity, print and csv.
# Expected: as its documentation says, `equity` prints the balances as entries that begin a new year's books, so Ledger
# takes them. They are the balances of books that it has found to be right.
# Really: an amount that was divided is exact inside, and is written with as many decimals as the unit has in the
# books. Three shares of 10.00 / 3 balance, and their sum is shown as 10.00. `equity` writes 3.33 for each, leaves
# out the pool, which is 0, and Ledger refuses what it wrote: "Transaction does not balance". In csv the same shares
# have 8 decimals. `print` keeps the divisions, and is read.
# What follows: rounding shows a year later, when the books are closed. Books of payouts get the amounts that were
# paid, with all digits, and no divisions.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download ledger=3.3.0-3 libboost-filesystem1.74.0 libboost-iostreams1.74.0 libboost-python1.74.0 \
  libboost-regex1.74.0 libedit2 libbsd0 libmd0 libgmp10 libicu72 libmpfr6 libpython3.11 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu):$dir/usr/lib/ledger
export LD_LIBRARY_PATH LC_ALL=C
ledger() { usr/bin/ledger --args-only --no-pager "$@" 2>&1; }
printf '%s\n' '2026/01/01 seed' '    Pool  10.00 PTS' '    Equity' '' '2026/01/02 shares' \
  '    Alice  (10.00 PTS / 3)' '    Bob  (10.00 PTS / 3)' '    Carol  (10.00 PTS / 3)' '    Pool  -10.00 PTS' >books
ledger -f books equity >opening
ledger -f books print >printed
seen="$(ledger -f books balance --format '%(account) %(total)
' Alice)
$(tr -s ' ' <opening)
$(ledger -f opening balance | tail -n 1)
$(ledger -f books csv Alice)
$(ledger -f printed balance | tail -n 1 | tr -d ' ')"
wanted='Alice 3.33 PTS
2026/01/02 Opening Balances
 Alice 3.33 PTS
 Bob 3.33 PTS
 Carol 3.33 PTS
 Equity -10.00 PTS
Error: Transaction does not balance
"2026/01/02","","shares","Alice","PTS","3.33333333","",""
0'
[ "$seen" = "$wanted" ] || { printf 'Ledger wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: Ledger refuses the opening balances that it writes of shares of 10.00 / 3"
