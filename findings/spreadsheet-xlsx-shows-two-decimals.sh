#!/usr/bin/env bash
# Spreadsheet::XLSX 0.17 (Debian 12), a reader for Perl, of a workbook that xlsx (SheetJS) 0.18.5 writes.
# Expected: a cell's value is what the spreadsheet shows, as in Spreadsheet::ParseExcel, which it emulates,
# and {Val} what is stored. A number without a format of its own is shown with its digits, and "A & B" is "A &
# B" in both.
# Really: the value of such a number has two decimals: 1.005 is 1.00, and 0.0000005 is 0.00. With a format,
# such as 0.0000000, and in {Val} it is right. Texts are as XML has them, in both: R&D is R&amp;D, and a quote
# is &quot;.
# What follows: amounts that a script takes by value are rounded. A reference with & in it is another one, so
# that a contract pays it again. Take {Val}, and decode texts.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5 >/dev/null
cd "$dir"
apt-get -qq download libspreadsheet-xlsx-perl=0.17-1 libspreadsheet-parseexcel-perl libole-storage-lite-perl \
  libcrypt-rc4-perl libdigest-perl-md5-perl libarchive-zip-perl 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
cat >write.cjs <<'JS'
const xlsx = require("xlsx");
const cells = [[1.005], [0.0000005], [1234567.891], [12], [0.0000005, "0.0000000"], [1.5, "#,##0.000"],
  ["R&D, May"], ['the "first" <one>'], ["plain"]];
const sheet = xlsx.utils.aoa_to_sheet(cells.map(([value]) => [value]));
for (const [at, [, format]] of cells.entries()) if (format) sheet[`A${at + 1}`].z = format;
xlsx.writeFile({ SheetNames: ["Payout"], Sheets: { Payout: sheet } }, "payout.xlsx");
JS
node write.cjs
seen=$(perl -Iusr/share/perl5 -MSpreadsheet::XLSX -e '
  my ($sheet) = @{ Spreadsheet::XLSX->new("payout.xlsx")->{Worksheet} };
  print join(" | ", $_->[0]{Val}, $_->[0]->value), "\n" for @{ $sheet->{Cells} };')
wanted='1.005 | 1.00
5e-7 | 0.00
1234567.891 | 1234567.89
12 | 12
5e-7 | 0.0000005
1.5 | 1.500
R&amp;D, May | R&amp;D, May
the &quot;first&quot; &lt;one&gt; | the &quot;first&quot; &lt;one&gt;
plain | plain'
[ "$seen" = "$wanted" ] || { printf 'The cells were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: Spreadsheet::XLSX shows two decimals of a number, and &amp; for &"
