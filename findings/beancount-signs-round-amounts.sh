#!/usr/bin/env bash
# Beancount 2.3.5 (Debian 12), bean-check and its loader.
# Expected: an amount has the same digits with a sign and without, as in hledger 1.25, and a transaction whose
# amounts do not add up to zero is refused.
# Really: an amount without a sign is read exactly. A minus is an operation, and operations round to 28
# digits. So the two sides of one transfer of a token with 18 decimals differ, and a transaction that pays
# Bob another amount than is booked balances. bean-check says nothing. Without a sign, and with one:
#   123456789012.000000000000000001    -123456789012.0000000000000000
# What follows: amounts here have up to 38 digits. Books of them in Beancount are rounded, and in hledger they
# are not.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download beancount=2.3.5-2 python3-beancount=2.3.5-2+b1 python3-ply python3-dateutil python3-six \
  hledger=1.25-2+b5 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
export PYTHONPATH="$dir/usr/lib/python3/dist-packages"
cat >list.beancount <<'TEXT'
2026-01-01 open Assets:Alice
2026-01-01 open Assets:Bob
2026-01-01 open Equity:Paid
2026-01-02 * "Alice is paid"
  Assets:Alice   123456789012.000000000000000001 TOKEN
  Equity:Paid   -123456789012.000000000000000001 TOKEN
2026-01-03 * "Bob is paid another amount than is booked"
  Assets:Bob     123456789012.000000000000000049 TOKEN
  Equity:Paid   -123456789012.000000000000000001 TOKEN
TEXT
grep -v open list.beancount >list.journal
says() { ("$@" 2>&1 || true) | grep -oE "does not balance|sum should be 0 but is: [0-9.]+" || echo nothing; }
amounts='
from beancount.loader import load_file
transactions = [entry for entry in load_file("list.beancount")[0] if hasattr(entry, "postings")]
print("\n".join(str(posting.units.number) for entry in transactions for posting in entry.postings))'
seen="bean-check says $(says python3 usr/bin/bean-check list.beancount)
$(python3 -c "$amounts")
hledger says $(says usr/bin/hledger -f list.journal check)"
wanted='bean-check says nothing
123456789012.000000000000000001
-123456789012.0000000000000000
123456789012.000000000000000049
-123456789012.0000000000000000
hledger says sum should be 0 but is: 0.000000000000000048'
[ "$seen" = "$wanted" ] || { printf 'They said\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: Beancount rounds an amount to 28 digits where it has a sign"
