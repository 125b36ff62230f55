#!/usr/bin/env bash
# ledger-autosync 1.0.3.7.g69f30ea (Debian 12), which makes entries for Ledger 3.3.0 and hledger 1.25 of the statements
# that banks write in OFX.
# Expected: as its documentation says, "only new transactions will be printed for insertion into your ledger files", by
# the ID that the bank gives each (FITID), and there is "support for non-US currencies". An entry of 1 December is one
# of that day.
# Really: it asks Ledger, or hledger, for entries with the ID, and to both the ID is a pattern, which is found within
# others. So where 20261115-50 is in the books, 20261115-5 is taken for it and left out. A dot in an ID is any sign:
# 20261115.7 is left out because of 20261115-7. All amounts get two decimals: 12.505 Kuwaiti dinars are 12.51. A time
# with its zone becomes one of UTC, and its day is written: midnight of 1 December in Paris is 30 November. Nothing is
# said. IDs of one length without dots, and other currencies, are right.
# What follows: a payment is in no book, though the balance of the bank shows it, and one of December is in November's.
# Compare the number of entries with that of <STMTTRN>, and balances with --assertions. Statements here have IDs of one
# length, and times in UTC (docs/statements.md).
set -euo pipefail

for tool in ledger-autosync ledger hledger; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install $tool"; exit 1; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export HOME="$dir" PYTHON_KEYRING_BACKEND=keyring.backends.null.Keyring
statement() {
  echo "OFXHEADER:100"
  echo "DATA:OFXSGML"
  echo "VERSION:102"
  echo
  echo "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20261202<LANGUAGE>ENG"
  echo "<FI><ORG>Bank<FID>77</FI></SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1"
  echo "<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>$1<BANKACCTFROM><BANKID>1<ACCTID>0012<ACCTTYPE>CHECKING"
  echo "</BANKACCTFROM><BANKTRANLIST><DTSTART>20261101<DTEND>20261202"
  while read -r day amount id; do
    echo "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>$day<TRNAMT>$amount<FITID>$id<NAME>for $id</STMTTRN>"
  done
  echo "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
}
entries() {
  "$1-autosync" -l "$2" -a Assets:Bank "$3" 2>/dev/null | awk '/^[0-9]/ { day = $1 } /Bank/ { print day, $2, $3 }'
}
statement EUR >first.ofx <<'ROWS'
20261115 -50.00 20261115-50
20261115 -7.00 20261115-7
ROWS
statement EUR >second.ofx <<'ROWS'
20261115 -50.00 20261115-50
20261115 -5.00 20261115-5
20261115 -70.00 20261115.7
20261115 -12.00 20261115-12
20261201000000[+1:CET] -3.00 20261201-3
ROWS
echo "20261115 -12.505 1" | statement KWD >dinars.ofx
touch empty
ledger-autosync -l empty -a Assets:Bank first.ofx >books
seen="first
$(entries ledger empty first.ofx)
second, by Ledger
$(entries ledger books second.ofx)
second, by hledger
$(entries hledger books second.ofx)
dinars
$(entries ledger empty dinars.ofx)"
wanted='first
2026/11/15 -50.00 EUR
2026/11/15 -7.00 EUR
second, by Ledger
2026/11/15 -12.00 EUR
2026/11/30 -3.00 EUR
second, by hledger
2026/11/15 -12.00 EUR
2026/11/30 -3.00 EUR
dinars
2026/11/15 -12.51 KWD'
[ "$seen" = "$wanted" ] || { printf 'The entries were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: ledger-autosync leaves a payment of 5 out where one of 50 has an ID that begins with its own"
