#!/usr/bin/env bash
# csvkit 1.0.7 (Debian 12): csvsort and csvjoin, with agate 1.6.3.
# Expected: sorting or joining by the column `to` leaves the amounts beside it as they are.
# Really: a column of numbers is read as Python's Decimals, and multiplied by 1 or -1 for its sign, which
# rounds to 28 digits. So 12345678901.123456789012345678, of a token with 18 decimals, loses its last
# digit, and 12345678901234567890.123456789012 the last four. Trailing zeros and up to 28 digits stay, so
# a smaller file shows nothing. With -I the cells are copied.
# What follows: amounts here have up to 38 digits. Sort exports with csvsort -I.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download csvkit=1.0.7-1 python3-csvkit=1.0.7-1 python3-agate=1.6.3-2 python3-agatedbf \
  python3-agateexcel python3-agatesql python3-babel python-babel-localedata python3-dbfread python3-isodate \
  python3-leather python3-openpyxl python3-parsedatetime python3-pytimeparse python3-six python3-slugify \
  python3-sqlalchemy python3-text-unidecode python3-tz python3-xlrd 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
export PYTHONPATH="$dir/usr/lib/python3/dist-packages"
printf '%s\n' to,points b,12345678901234567890.123456789012 a,12345678901.123456789012345678 c,1.50 >list.csv
printf '%s\n' to,name a,x b,y c,z >names.csv
seen="$(python3 usr/bin/csvsort -c to list.csv)
$(python3 usr/bin/csvjoin -c to names.csv list.csv)
$(python3 usr/bin/csvsort -I -c to list.csv)"
wanted='to,points
a,12345678901.12345678901234568
b,12345678901234567890.12345679
c,1.50
to,name,points
a,x,12345678901.12345678901234568
b,y,12345678901234567890.12345679
c,z,1.50
to,points
a,12345678901.123456789012345678
b,12345678901234567890.123456789012
c,1.50'
[ "$seen" = "$wanted" ] || { printf 'They wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: csvsort and csvjoin round amounts to 28 digits in columns that they only copy"
