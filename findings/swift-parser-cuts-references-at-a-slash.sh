#!/usr/bin/env bash
# @centrapay/swift-parser 1.0.1 from npm, which reads bank statements in SWIFT's MT940 and MT942.
# Expected: of an entry (:61:), the reference of the account's owner has up to 16 signs, of which a slash is one, as in
# PAY/0001; only // ends it, and the bank's own reference comes then. By its documentation, a transaction has
# `reversal`, "transaction is a reversal", a `bankReference` and `extraDetails`, and `validate` checks that entries add
# up.
# Really: a reference ends at its first slash, and all behind it is left out: the rest, the bank's reference and the
# details. PAY/0001 and PAY/0002 are both PAY. `reversal` is never there, as its name is isReversal. Amounts are rounded
# to two decimals, also those of currencies that have three: 12.505 Kuwaiti dinars are 12.51, and with `validate` a
# statement that adds up is refused. Nothing else is said. References without a slash are right.
# What follows: who compares the statement with what was sent finds PAY paid often and PAY/0001 never, and pays it
# again, and a credit that was taken back is an ordinary entry. Read :61: as text. References of this service are
# free texts, in which a slash is common (docs/api.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @centrapay/swift-parser@1.0.1 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const parser = require("@centrapay/swift-parser");

const statement = (currency, amount, closing) => `:20:1
:25:NL91ABNA0417164300
:28C:1/1
:60F:C261129${currency}1000,
:61:2611301130D${amount}NTRFPAY/0001//BANK1
wages of November
:61:2611301130D20,NTRFPAY/0002//BANK2
wages of November
:61:2611301130RC5,NTRFPAY-0003//BANK3
wages of October
:62F:C261130${currency}${closing}
`;
const data = statement("EUR", "12,5", "962,5");
for (const entry of parser.parse({ type: "mt940", data, validate: true })[0].transactions)
  console.log(`${entry.amount} "${entry.reference}" "${entry.bankReference}" "${entry.extraDetails}"`,
    `reversal ${entry.reversal}, isReversal ${entry.isReversal}`);
const dinars = statement("KWD", "12,505", "962,495");
console.log(`KWD: ${parser.parse({ type: "mt940", data: dinars })[0].transactions[0].amount}`);
try {
  parser.parse({ type: "mt940", data: dinars, validate: true });
} catch ({ message }) {
  console.log(message);
}
JS
seen=$(cd "$dir" && node read.cjs)
wanted='-12.5 "PAY" "" "" reversal undefined, isReversal false
-20 "PAY" "" "" reversal undefined, isReversal false
-5 "PAY-0003" "BANK3" "wages of October" reversal undefined, isReversal true
KWD: -12.51
Sum of lines (-37.51) != turnover (-37.5) in group 1'
[ "$seen" = "$wanted" ] || { printf 'It read\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to swift-parser the references PAY/0001 and PAY/0002 are both PAY"
