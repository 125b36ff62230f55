#!/usr/bin/env bash
# bitcoin-units 0.3.0 from npm, which converts amounts of bitcoin, of satoshi and of units of one's own.
# Expected: "0.5" bitcoin, a text, as JSON and forms have amounts, are 50000000 satoshi, or are refused. Its
# documentation names no type, and it looks whether parseFloat finds a number in what it is given. An amount that was
# shown in another unit is still the same amount.
# Really: a text is 0 in each other unit, as Number.isFinite takes none, and what is no number is 0. to changes the
# object itself, so that a fee of 1 BTC, once it was shown in satoshi, is 100000000 where its number of BTC is taken.
# In its own unit a text stays as it is, so a page shows 0.5. Nothing is refused. Numbers that are converted once are
# right, so a test with these shows nothing.
# What follows: a payment of "0.5" is one of 0, and a fee that was shown before is a hundred million times as much.
# Give it numbers, and make a new object for each use. Amounts here are texts, as all interfaces of this service have
# them.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts bitcoin-units@0.3.0 >/dev/null
cat >"$dir/convert.cjs" <<'JS'
const bitcoin = require("bitcoin-units");

for (const amount of [0.5, "0.5", "1", 0])
  console.log(`${JSON.stringify(amount)} BTC are ${bitcoin(amount, "BTC").to("satoshi").value()} satoshi`);
const fee = bitcoin(1, "BTC");
console.log(`the fee is ${fee.format()}, or ${fee.to("satoshi").format()}, and is paid as ${fee.value()}`);
console.log(`the text shown: ${bitcoin("0.5", "BTC").value()} BTC`);
JS
seen=$(cd "$dir" && LANG=en_US.UTF-8 node convert.cjs)
wanted='0.5 BTC are 50000000 satoshi
"0.5" BTC are 0 satoshi
"1" BTC are 0 satoshi
0 BTC are 0 satoshi
the fee is 1 BTC, or 100,000,000 satoshis, and is paid as 100000000
the text shown: 0.5 BTC'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to bitcoin-units \"0.5\" bitcoin are 0 satoshi, and a fee of 1 that was shown in satoshi is 100000000"
