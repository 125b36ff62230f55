#!/usr/bin/env bash
# Roo 2.10.0 for Ruby (Debian 12: ruby-roo), which reads workbooks, with its formatted_value. xlsx (SheetJS) 0.18.5 from
# npm writes the workbook, and shows its cells beside it.
# Expected: in the example of its documentation, cell is 600000383.0 and formatted_value is 0600000383, so the latter is
# what a spreadsheet shows: 2.7 in the format General, which each cell has at first, is 2.7, and 0.5 in
# #,##0.00;(#,##0.00) is 0.50, as brackets are for less than nothing.
# Really: by General it is a whole number, 3, and 0.4 is 0. With a form for less than nothing, only the whole part is
# compared with 0, so that 0.5 is (0.50), the form of a debt. From four decimals on, commas separate thousands behind
# the point as well: 1234.5678 is 1,234.5,678. Percentages without decimals are cut: 12.6% is 12%. Nothing is said.
# Amounts of 1 and more with two decimals are right, so a test with these shows nothing, and so are cell and to_csv.
# What follows: a list of small payments made of what cells show has them as debts or as 0, and a token's amounts are no
# numbers. Take cell, which has the number. Our reader takes what is stored, and says what is shown rounded
# (terms/file/number-format.ts).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5 >/dev/null
apt-get -qq download ruby-roo=2.10.0-1 ruby-nokogiri ruby-zip racc ruby3.1 libruby3.1 libyaml-0-2 libgmp10 libcrypt1 \
  libxml2 libxslt1.1 libicu72 liblzma5 zlib1g 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
cat >write.cjs <<'JS'
const XLSX = require("xlsx");
const cells = [
  ["General", 2.7],
  ["General", 0.4],
  ["0.00", 2.5],
  ["#,##0.00;(#,##0.00)", 5.5],
  ["#,##0.00;(#,##0.00)", 0.5],
  ["#,##0.00;(#,##0.00)", -0.5],
  ["#,##0.0000", 1234.5678],
  ["0%", 0.126],
];
const sheet = XLSX.utils.aoa_to_sheet(cells.map(([, points]) => [points]));
cells.forEach(([format], at) => { sheet[`A${at + 1}`].z = format; });
const book = XLSX.utils.book_new();
XLSX.utils.book_append_sheet(book, sheet, "S");
XLSX.writeFile(book, "points.xlsx");
const shown = XLSX.readFile("points.xlsx", { cellText: true, cellNF: true }).Sheets.S;
for (const at of cells.keys()) console.log(`${shown[`A${at + 1}`].z} shows ${shown[`A${at + 1}`].w},`);
JS
cat >read.rb <<'RUBY'
require "logger"
require "roo"
book = Roo::Excelx.new("points.xlsx")
book.each_row_streaming { |row| row.each { |cell| puts "#{cell.value} is #{cell.formatted_value}" } }
RUBY
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu):$(echo "$dir"/lib/*-linux-gnu)
export LD_LIBRARY_PATH
include=(-I usr/lib/ruby/3.1.0 -I "$(echo usr/lib/*-linux-gnu/ruby/3.1.0)" -I usr/lib/ruby/vendor_ruby)
for folder in "$dir"/usr/share/rubygems-integration/all/gems/*/lib \
  "$dir"/usr/lib/*-linux-gnu/rubygems-integration/3.1.0/gems/*/lib \
  "$dir"/usr/lib/*-linux-gnu/rubygems-integration/3.1.0/extensions/*/3.1.0/nokogiri-*; do
  include+=(-I "$folder")
done
node write.cjs >shown
usr/bin/ruby3.1 -W0 --disable-gems "${include[@]}" -r rubygems read.rb >values 2>&1 || true
seen=$(paste -d ' ' shown values)
wanted='General shows 2.7, 2.7 is 3
General shows 0.4, 0.4 is 0
0.00 shows 2.50, 2.5 is 2.50
#,##0.00;(#,##0.00) shows 5.50, 5.5 is 5.50
#,##0.00;(#,##0.00) shows 0.50, 0.5 is (0.50)
#,##0.00;(#,##0.00) shows (0.50), -0.5 is (0.50)
#,##0.0000 shows 1,234.5678, 1234.5678 is 1,234.5,678
0% shows 13%, 0.126 is 12%'
[ "$seen" = "$wanted" ] || { printf 'The cells were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: Roo's formatted_value of 0.5 is (0.50), and that of 2.7 is 3"
