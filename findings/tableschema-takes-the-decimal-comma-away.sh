#!/usr/bin/env bash
# tableschema 1.12.6 from npm, Frictionless Data's reader of tables by a Table Schema.
# Expected: as the schema that it comes with describes them, decimalChar and groupChar are the signs of a number, and
# with bareNumber false, what leads and trails the number is taken away, such as currencies. So by "," and ".", 1.234,50
# is 1234.5, and -5 EUR is -5.
# Really: the decimal comma becomes a point first, and then all points go, as they separate thousands. 1.234,50 is
# 123450, and 12,34 is 1234. With another sign for thousands, as a space or none, it is right, and so is 1,234.50 by ","
# and ".". And a minus is what leads a number: with bareNumber false, -5 EUR, EUR -5 and -5 are 5. Nothing is said, as
# all of these are valid.
# What follows: a list of payments from Germany or Brazil, by the very schema that its writer published, pays a hundred
# times as much, and what was taken back is paid. Read such columns as texts. Our reader proposes a format for the whole
# column, and a person decides (terms/file/number-format.ts); it refuses -5.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts tableschema@1.12.6 >/dev/null
cat >read.cjs <<'JS'
const { Schema, Table } = require("tableschema");

const read = async (options, ...values) => {
  const descriptor = { fields: [{ name: "points", type: "number", ...options }] };
  const schema = await Schema.load(descriptor, { strict: true });
  const table = await Table.load([["points"], ...values.map((value) => [value])], { schema });
  const rows = await table.read();
  console.log(`${JSON.stringify(options)}: ${values.map((value, at) => `${value} is ${rows[at]}`).join(", ")}`);
};
(async () => {
  await read({}, "1234.50", "-5");
  await read({ groupChar: "," }, "1,234.50", "-1,234.50");
  await read({ decimalChar: "," }, "1234,50");
  await read({ decimalChar: ",", groupChar: " " }, "1 234,50");
  await read({ decimalChar: ",", groupChar: "." }, "1.234,50", "12,34", "5");
  await read({ bareNumber: false }, "EUR 5", "-5 EUR", "EUR -5", "-5");
})();
JS
seen=$(node read.cjs)
wanted='{}: 1234.50 is 1234.5, -5 is -5
{"groupChar":","}: 1,234.50 is 1234.5, -1,234.50 is -1234.5
{"decimalChar":","}: 1234,50 is 1234.5
{"decimalChar":",","groupChar":" "}: 1 234,50 is 1234.5
{"decimalChar":",","groupChar":"."}: 1.234,50 is 123450, 12,34 is 1234, 5 is 5
{"bareNumber":false}: EUR 5 is 5, -5 EUR is 5, EUR -5 is 5, -5 is 5'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: tableschema reads 1.234,50 as 123450 by its own decimalChar and groupChar"
