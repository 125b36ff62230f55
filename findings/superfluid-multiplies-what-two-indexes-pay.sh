#!/usr/bin/env bash
# @superfluid-finance/sdk-core 0.9.0 from npm, which streams and distributes tokens, with ethers 5.8.0. Only the file of
# the functions that it exports for amounts is loaded: with all that it depends on, the package has 600 MB.
# Expected: by its comment, subscriptionTotalAmountDistributedSinceUpdated is "the total amount distributed to the
# subscriber" from "the index subscriptions of a single token from an account", so each index's share for a unit times
# the subscriber's units, added up. The amounts that a rate makes are those that the rate was made of.
# Really: the sum so far is multiplied by the units of each next index. 3 units of an index that paid 10 and 4 of one
# that paid 5 are 140 instead of 50, and 90 in the other order. An index in which one has no units any more makes it 0.
# What can be claimed and the available balance are calculated so, too. With one index, or one unit in each but the
# first, it is right. The rate of 0.4 tokens a day is 0 tokens a day again, and 3 a week: amounts become whole.
# What follows: a page shows an account with two distributions several times what it has, and who pays by that pays too
# much. With 18 decimals the factor is as great as the units. Add up the subscriptions one by one. No code of ours is
# concerned: who shows balances of Superfluid beside points meets it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts ethers@5.8.0 \
  @superfluid-finance/metadata@1.6.4 >/dev/null
npm pack --silent @superfluid-finance/sdk-core@0.9.0 >/dev/null
tar -xzf superfluid-finance-sdk-core-0.9.0.tgz
cat >sum.cjs <<'JS'
const superfluid = require("./package/dist/main/utils.js");

const index = (units, paid, approved = true) => ({
  approved,
  units: String(units),
  indexValueUntilUpdatedAt: "0",
  index: { indexValue: String(paid) },
});
for (const [name, ...indexSubscriptions] of [
  ["one", index(3, 10)],
  ["two", index(3, 10), index(4, 5)],
  ["two in another order", index(4, 5), index(3, 10)],
  ["two, one without units", index(3, 10), index(0, 5)],
  ["two, one not approved", index(3, 10, false), index(4, 5)],
]) {
  const balance = superfluid.calculateAvailableBalance({
    currentBalance: "100",
    netFlowRate: "0",
    currentTimestamp: "10",
    updatedAtTimestamp: "10",
    indexSubscriptions,
  });
  const distributed = superfluid.subscriptionTotalAmountDistributedSinceUpdated(indexSubscriptions);
  const claimable = superfluid.subscriptionTotalAmountClaimableSinceUpdatedAt(indexSubscriptions);
  console.log(`${name}: distributed ${distributed}, claimable ${claimable}, balance ${balance}`);
}
const { daily, weekly } = superfluid.getFlowAmountByPerSecondFlowRate(superfluid.getPerSecondFlowRateByDay("0.4"));
console.log(`0.4 a day: ${daily} a day, ${weekly} a week`);
JS
seen=$(node sum.cjs)
wanted='one: distributed 30, claimable 0, balance 130
two: distributed 140, claimable 0, balance 240
two in another order: distributed 90, claimable 0, balance 190
two, one without units: distributed 0, claimable 0, balance 100
two, one not approved: distributed 140, claimable 120, balance 120
0.4 a day: 0 a day, 3 a week'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: Superfluid's SDK multiplies what the first index paid by the units of the second"
