#!/usr/bin/env bash
# hledger 1.25 (Debian 12), check, balance and print, with a commodity directive.
# Expected: as its documentation says, the directive declares how amounts are read and shown, and shown digits do not
# affect balance assertions. A transaction that gives Alice 10.4 points of which the pool pays 10 does not add up to
# zero, and is refused, as it is without the directive.
# Really: what is left over is rounded as it would be shown, and then compared with zero. With `commodity 1000. PTS`, 0.4
# is 0, so the transaction balances, also for check --strict. balance shows 10 and -10, which looks right, and print has
# 10.4. They add up: after five, there are 2 points more than were booked. With two decimals it is less than half a cent
# for each transaction. Balance assertions are exact, as documented.
# What follows: a directive that makes reports tidy, as its documentation recommends, hides what was paid beyond what was
# booked. Books of amounts with up to 12 decimals, as here, get a directive with 12.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download hledger=1.25-2+b5 libgmp10 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH LC_ALL=C.UTF-8
hledger() { usr/bin/hledger "$@" 2>&1 || true; }
payouts() {
  printf 'account %s\n' alice pool
  for day in 1 2 3 4 5; do printf '\n2026-01-0%s payout\n    alice    10.4 PTS\n    pool    -10 PTS\n' "$day"; done
}
payouts >plain.journal
(echo 'commodity 1000. PTS' && payouts) >tidy.journal
(echo 'commodity 1000.00 PTS' && payouts | sed 's/10\.4/10.004/') >cents.journal
first="date:2026-01-01"
seen="without: $(hledger -f plain.journal check | grep -o 'sum should be 0 but is: .*')
check: nothing$(hledger -f tidy.journal check --strict)
one: $(hledger -f tidy.journal balance "$first" --layout=bare -O csv | paste -sd ' ')
print: $(hledger -f tidy.journal print "$first" | tr -s ' ' | paste -sd ';')
five: $(hledger -f tidy.journal balance -O csv | paste -sd ' ')
cents: $(hledger -f cents.journal check --strict)$(hledger -f cents.journal balance -O csv | paste -sd ' ')"
wanted='without: sum should be 0 but is: 0.4 PTS
check: nothing
one: "account","commodity","balance" "alice","PTS","10" "pool","PTS","-10" "total","PTS","0"
print: 2026-01-01 payout; alice 10.4 PTS; pool -10 PTS;
five: "account","balance" "alice","52 PTS" "pool","-50 PTS" "total","2 PTS"
cents: "account","balance" "alice","50.02 PTS" "pool","-50.00 PTS" "total","0.02 PTS"'
[ "$seen" = "$wanted" ] || { printf 'hledger said\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: hledger takes 10.4 and -10 for balanced where the commodity is shown without decimals"
