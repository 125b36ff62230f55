#!/usr/bin/env bash
# xlsx (SheetJS) 0.18.5 from npm, write and utils.sheet_to_csv.
# Expected: CSV has the numbers that the sheet stores, as its .xlsx has.
# Really: CSV has what the format "General" shows in a narrow column, about 11 characters. 903464070.356643 becomes
# 903464070.4, and 87632071066421.2 becomes 8.76321E+13. The option rawNumbers keeps the numbers; it is off.
# What follows: no reader can see that digits are missing. docs/internals.md names the option, and an exponent with a
# capital E is never read as an amount.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund xlsx@0.18.5
cat >"$dir/write.cjs" <<'JS'
const { utils } = require("xlsx");
const sheet = utils.aoa_to_sheet([[903464070.356643], [87632071066421.2], [9824.53]]);
const csv = (options) => utils.sheet_to_csv(sheet, options).replace(/\n/g, " ").trim();
console.log(`${csv()} | ${csv({ rawNumbers: true })}`);
JS
seen=$(node "$dir/write.cjs")
wanted='903464070.4 8.76321E+13 9824.53 | 903464070.356643 87632071066421.2 9824.53'
[ "$seen" = "$wanted" ] || { printf 'SheetJS wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: SheetJS writes CSV with amounts as a narrow column shows them"
