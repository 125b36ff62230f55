#!/usr/bin/env bash
# Writers of dBASE files, which many bank and accounting programs read (Debian 12): Shapelib 1.5.0 (shapelib),
# dbfcreate and dbfadd, and DBD::XBase 1.08 for Perl.
# Expected: an amount that does not fit into its column is refused, or filled up with asterisks, as dBASE does it.
# Really: both cut it. In a column of 8 digits, two of them behind the point, dbfadd writes the first ones: 123456.78
# is 123456.7, and 123456789.01 is 12345678, which is a tenth. DBD::XBase writes the last ones: 123456789.01 is
# 56789.01, and -123456.78 is 23456.78, without its minus. The same happens to whole numbers. To dbfadd, what is no
# plain decimal ends at the first sign that is none, so that 1,234.50 is 1. Nothing is said, and both succeed. What
# fits is right.
# What follows: a list of payments works until somebody is paid more than ever before, and then pays a part of it. Make
# columns as wide as the largest amount can be, of up to 20 digits, and compare what was written. This service reads
# and writes no such files; its amounts have up to 38 digits, which no number of dBASE has.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download shapelib=1.5.0-3+b1 libshp2=1.5.0-3+b1 libdbd-xbase-perl=1:1.08-2 libdbi-perl 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
PERL5LIB=$dir/usr/share/perl5:$(echo "$dir"/usr/lib/*-linux-gnu/perl5/5.36)
export LD_LIBRARY_PATH PERL5LIB
cat >insert.pl <<'PERL'
use strict;
use DBI;

my $dbh = DBI->connect("dbi:XBase:.", undef, undef, { RaiseError => 1 });
$dbh->do("INSERT INTO xbase VALUES (?, ?, ?)", undef, @ARGV);
PERL
for list in shapelib xbase; do usr/bin/dbfcreate $list.dbf -s to 5 -n points 8 2 -n whole 5 0 >/dev/null; done
row() { usr/bin/dbfdump -r "$1.dbf" | tail -1 | sed 's/  */ /g; s/ $//; s/^[a-z]* //'; }
add() {
  usr/bin/dbfadd shapelib.dbf "$@"
  perl insert.pl "$@"
  echo "$*: dbfadd $(row shapelib), XBase $(row xbase)"
}
seen="$(add alice 1234.56 12345)
$(add bob 123456.78 123456)
$(add carol 12345678.90 1234567)
$(add dave 123456789.01 -12345)
$(add erin -123456.78 5)
$(usr/bin/dbfadd shapelib.dbf frank 1,234.50 1e3 && echo "1,234.50 1e3: dbfadd $(row shapelib)")"
wanted='alice 1234.56 12345: dbfadd 1234.56 12345, XBase 1234.56 12345
bob 123456.78 123456: dbfadd 123456.7 12345, XBase 23456.78 23456
carol 12345678.90 1234567: dbfadd 12345678 12345, XBase 45678.90 34567
dave 123456789.01 -12345: dbfadd 12345678 -1234, XBase 56789.01 12345
erin -123456.78 5: dbfadd -123456. 5, XBase 23456.78 5
1,234.50 1e3: dbfadd 1.00 1000'
[ "$seen" = "$wanted" ] || { printf 'The rows were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: dbfadd writes the first digits of an amount that is too wide, and DBD::XBase the last ones"
