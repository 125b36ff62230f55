#!/usr/bin/env bash
# biggystring 4.3.0 from npm, which calculates with amounts as texts. big.js 7.0.1 beside it.
# Expected: floor gives the next lower amount and ceil the next higher one, as everywhere: of -1.5 they are -2 and -1.
# Its documentation names both "rounding functions" and shows positive amounts.
# Really: floor cuts off, and ceil goes away from zero. floor of -1.5 is -1, and ceil is -2, so that floor is more
# than ceil. floor of -0.3 is 0. Positive amounts are right, and so is round.
# What follows: a balance of -1.5 that is rounded down, so as to promise nobody more than there is, is -1. Take the
# other one of both for negative amounts.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts biggystring@4.3.0 big.js@7.0.1 >/dev/null
cat >"$dir/round.cjs" <<'JS'
const Big = require("big.js");
const { ceil, floor, gt, round } = require("biggystring");
for (const [amount, digits] of [["1.5", 0], ["-1.5", 0], ["-0.3", 0], ["-123.456", -2], ["-123.456", 1]])
  console.log(amount, digits, floor(amount, digits), ceil(amount, digits), round(amount, digits),
    gt(floor(amount, digits), amount), new Big(amount).lt(ceil(amount, digits)));
JS
seen=$(cd "$dir" && node round.cjs)
wanted='1.5 0 1 2 2 false true
-1.5 0 -1 -2 -2 true false
-0.3 0 0 -1 0 true false
-123.456 -2 -123.45 -123.46 -123.46 true false
-123.456 1 -120 -130 -120 true false'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to biggystring, the floor of -1.5 is -1, and its ceil is -2"
