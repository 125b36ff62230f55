#!/usr/bin/env bash
# bigint-money 1.3.0 from npm, allocate, which splits an amount into equal parts. It calculates with 20 decimals.
# Expected: parts of an amount add up to it, whatever the number of parts and their decimals up to 20. Its comment
# on the function says that what is left of the division is given out unit by unit.
# Really: what the division by the number of parts leaves is counted once for each part. Where the parts have
# nearly as many decimals as it calculates with, too many units are given out: 100 by 30 with 18 decimals adds up
# to 100.000000000000000002. By 60 there are more units to give than parts, and it fails with a TypeError. With
# 2 to 12 decimals it is right, and so is 100 by 7 with 18, so a test with cents or with few parts shows nothing.
# What follows: shares of a token of 18 decimals add up to more than the pot, and the last claim fails. Add up
# the parts before they are paid.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts bigint-money@1.3.0 >/dev/null
cat >"$dir/split.cjs" <<'JS'
const { Money } = require("bigint-money");
for (const [amount, parts, decimals] of [["100", 30, 2], ["100", 30, 12], ["100", 7, 18], ["100", 30, 18],
  ["50", 6, 19], ["1", 997, 16], ["1", 60, 18]]) {
  let sum;
  try {
    sum = new Money(amount, "T").allocate(parts, decimals).reduce((total, part) => total.add(part)).toFixed(20);
  } catch (error) {
    sum = error.name;
  }
  console.log(amount, parts, decimals, sum);
}
JS
seen=$(cd "$dir" && node split.cjs)
wanted='100 30 2 100.00000000000000000000
100 30 12 100.00000000000000000000
100 7 18 100.00000000000000000000
100 30 18 100.00000000000000000200
50 6 19 50.00000000000000000010
1 997 16 1.00000000000000110000
1 60 18 TypeError'
[ "$seen" = "$wanted" ] || { printf 'The sums were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: 30 parts of 100 that bigint-money makes with 18 decimals add up to more than 100"
