#!/usr/bin/env bash
# catdoc 0.95 (Debian 12), xls2csv, which reads .xls workbooks, of which banks and old programs still make many. xlwt
# 1.3.0, Spreadsheet::WriteExcel 2.40 and, from npm, xlsx (SheetJS) 0.18.5 write them, and xlrd 1.2.0 reads beside it.
# Expected: 30 November 2026 is that day, in the format of its cell, or in that of the option -f. The days of a
# workbook are counted from 1900, or from 1904 where it says so, as old programs for the Macintosh did. These do not
# say so.
# Really: each is counted from 1904: 30 November 2026 is 1 December 2030, whichever program wrote it. So are those with
# -f. That holds for formats that come with Excel. A date with a format of its own, such as YYYY-MM-DD, is the number
# 46356. xlrd has the right day of each. The manual says nothing of any of this.
# What follows: a list of payments with due dates, or a bank's statement, is four years and a day late, and sorts and
# adds up as it should. Our reader takes .xlsx and CSV (terms/file/read-workbook.ts), so who has an .xls converts it:
# compare a date first, or use a spreadsheet program.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5 >/dev/null
cd "$dir"
apt-get -qq download catdoc=1:0.95-6~deb12u1 python3-xlwt=1.3.0-4 python3-xlrd=1.2.0-3 \
  libspreadsheet-writeexcel-perl=2.40-4 libole-storage-lite-perl libparse-recdescent-perl 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
export HOME="$dir" PYTHONPATH="$dir/usr/lib/python3/dist-packages" PERL5LIB="$dir/usr/share/perl5"
printf '%s=%s/usr/share/catdoc\n' charset_path "$dir" map_path "$dir" >.catdocrc
cat >sheetjs.cjs <<'JS'
const XLSX = require("xlsx");

const book = XLSX.utils.book_new();
const cell = { t: "n", v: 46356, z: "m/d/yy" };
XLSX.utils.book_append_sheet(book, { A1: cell, "!ref": "A1" }, "list");
XLSX.writeFile(book, "sheetjs.xls", { bookType: "biff8" });
JS
node sheetjs.cjs
cat >write.py <<'PY'
import datetime
import xlwt
book = xlwt.Workbook()
sheet = book.add_sheet("list")
for column, form in enumerate(["M/D/YY", "D-MMM-YY", "YYYY-MM-DD"]):
    sheet.write(0, column, datetime.date(2026, 11, 30), xlwt.easyxf(num_format_str=form))
book.save("xlwt.xls")
PY
python3 write.py
cat >write.pl <<'PERL'
use strict;
use Spreadsheet::WriteExcel;

my $book = Spreadsheet::WriteExcel->new("writeexcel.xls");
$book->add_worksheet->write(0, 0, 46356, $book->add_format(num_format => 14));
$book->close;
PERL
perl write.pl
cat >read.py <<'PY'
import sys
import xlrd
book = xlrd.open_workbook(sys.argv[1])
cells = book.sheet_by_index(0).row(0)
print(*["%d-%02d-%02d" % xlrd.xldate_as_tuple(cell.value, book.datemode)[:3] for cell in cells], sep=", ")
PY
seen=$(for book in sheetjs xlwt writeexcel; do
  echo "$book: $(usr/bin/xls2csv $book.xls | tr -d '\f') -f $(usr/bin/xls2csv -f %F $book.xls | tr -d '\f')"
  echo "xlrd: $(python3 read.py $book.xls)"
done)
wanted='sheetjs: "12-01-30" -f "2030-12-01"
xlrd: 2026-11-30
xlwt: "12-01-30","01-Dec-30","46356" -f "2030-12-01","2030-12-01","46356"
xlrd: 2026-11-30, 2026-11-30, 2026-11-30
writeexcel: "12-01-30" -f "2030-12-01"
xlrd: 2026-11-30'
[ "$seen" = "$wanted" ] || { printf 'The days were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: xls2csv makes 1 December 2030 of 30 November 2026"
