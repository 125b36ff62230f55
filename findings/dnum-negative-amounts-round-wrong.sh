#!/usr/bin/env bash
# dnum 2.17.0 from npm, format and toString with a number of decimals, and setDecimals, which rounds as well.
# Expected: -999.999 with two decimals is -1,000, as 999.999 is 1,000.
# Really: it is -998, and -1.999 is -0. Where the digits behind the point round up to a whole one, it is added
# to the whole part, also below zero, so that the result is two too small without its sign. setDecimals is
# right, and so are positive amounts and those whose whole part stays, such as -1234.561.
# What follows: of what was taken back, a page shows less. Use setDecimals first, or format the amount without
# its sign.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts dnum@2.17.0 >/dev/null
cat >"$dir/format.mjs" <<'JS'
import { format, from, setDecimals, toString } from "dnum";
for (const amount of ["999.999", "1.999", "19.996", "1234.561", "0.999"])
  for (const sign of ["", "-"]) {
    const value = from(`${sign}${amount}`);
    console.log(`${sign}${amount}`, format(value, 2), toString(value, 2), toString(setDecimals(value, 2)));
  }
JS
seen=$(cd "$dir" && node format.mjs)
wanted='999.999 1,000 1000 1000
-999.999 -998 -998 -1000
1.999 2 2 2
-1.999 -0 -0 -2
19.996 20 20 20
-19.996 -18 -18 -20
1234.561 1,234.56 1234.56 1234.56
-1234.561 -1,234.56 -1234.56 -1234.56
0.999 1 1 1
-0.999 -1 -1 -1'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: dnum writes -999.999 with two decimals as -998"
