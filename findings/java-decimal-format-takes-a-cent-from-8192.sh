#!/usr/bin/env bash
# java-decimal-format 1.0.0 from npm, which has the rounding modes of Java's DecimalFormat, for texts and numbers.
# Expected: as its documentation says, Java's behavior exactly. An amount that has two decimals has nothing to round
# at the format 0.00, in each mode.
# Really: from 8192 on, up to one of six is changed by a cent: 8192.46 is 8192.45 with DOWN and FLOOR, 8192.04 is
# 8192.05 with UP and CEILING. A double is multiplied by 100, and what is within 10^-10 of a whole number counts
# as one, but from 819200 on doubles are farther apart than that. Below, all cents are right, so a test with small
# amounts shows nothing. The default, HALF_UP, is right.
# What follows: a rounding that should favor nobody takes or gives a cent where nothing is rounded, and the lines of
# a statement do not add up to its total.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts java-decimal-format@1.0.0 >/dev/null
cat >"$dir/format.cjs" <<'JS'
const { DecimalFormat, RoundingMode } = require("java-decimal-format");
const formats = ["DOWN", "FLOOR", "UP", "CEILING", "HALF_UP"].map((mode) => {
  const format = new DecimalFormat("0.00");
  format.setRoundingMode(RoundingMode[mode]);
  return format;
});
for (const amount of ["8192.46", "8192.04", "19402.10", 19402.1])
  console.log(amount, ...formats.map((format) => format.format(amount)));
const changed = (from) => (format) =>
  Array.from({ length: 81920 }, (_, at) => ((from + at) / 100).toFixed(2))
    .filter((amount) => format.format(amount) !== amount).length;
for (const from of [737280, 819200]) console.log(from / 100, ...formats.map(changed(from)));
JS
seen=$(cd "$dir" && node format.cjs)
wanted='8192.46 8192.45 8192.45 8192.46 8192.46 8192.46
8192.04 8192.04 8192.04 8192.05 8192.05 8192.04
19402.10 19402.09 19402.09 19402.10 19402.10 19402.10
19402.1 19402.09 19402.09 19402.10 19402.10 19402.10
7372.8 0 0 0 0 0
8192 13106 13106 13107 13107 0'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: java-decimal-format changes cents from 8192 on, where there is nothing to round"
