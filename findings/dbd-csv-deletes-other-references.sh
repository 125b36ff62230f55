#!/usr/bin/env bash
# DBD::CSV 0.60 with SQL::Statement 1.414 (Debian 12), SQL on CSV files for Perl.
# Expected: a cell of CSV is a text, and so is '17' in quotes, as everywhere in SQL. DELETE FROM list WHERE reference =
# '17' takes the rows with this reference away.
# Really: two texts that look like numbers to Perl are compared as numbers, also in quotes and as a parameter. So '17'
# is 0017 as well, and '1e5' is 100000. SELECT, UPDATE and DELETE do so, and <> leaves all of these rows out. A JOIN,
# though, compares them as texts. With a letter before the digits it is right, so a test with such references shows
# nothing. The documentation of its syntax has strings in single quotes, and nothing of this.
# What follows: who takes one payment back takes two, and a payment that was made is found for another one. To this
# service 0017 and 17 are two references, each of which is paid once (docs/api.md). Put a letter before them.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download libdbd-csv-perl=0.6000-1+deb12u1 libsql-statement-perl=1.414-1 libdbi-perl libtext-csv-xs-perl \
  libclone-perl libparams-util-perl libmath-base-convert-perl libmodule-runtime-perl 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
PERL5LIB=$dir/usr/share/perl5:$(echo "$dir"/usr/lib/*-linux-gnu/perl5/5.36)
export PERL5LIB
mkdir lists
rows="0017,alice,5 17,bob,7 1e5,carol,1 100000,dave,2 x17,erin,3 x0017,frank,4"
echo "reference,who,points $rows" | tr ' ' '\n' >lists/list.csv
printf '%s\n' reference,state 17,paid 1e5,paid >lists/paid.csv
cat >references.pl <<'PERL'
use strict;
use DBI;

my $dbh = DBI->connect("dbi:CSV:", undef, undef, { f_dir => "lists", f_ext => ".csv/r", RaiseError => 1 });
sub who {
    my ($sql, @values) = @_;
    my $names = $dbh->selectcol_arrayref("SELECT who FROM list $sql", undef, @values);
    print "$sql @values: @$names\n";
}
who("WHERE reference = '17'");
who("WHERE reference = ?", "0017");
who("WHERE reference = ?", "x17");
who("WHERE reference <> ?", "100000");
who("NATURAL JOIN paid");
$dbh->do("DELETE FROM list WHERE reference = ?", undef, "1e5");
$dbh->do("UPDATE list SET points = 0 WHERE reference = ?", undef, "17");
PERL
seen="$(perl references.pl 2>&1)
$(tr -d '\r' <lists/list.csv | paste -sd ' ')"
wanted='WHERE reference = '\''17'\'' : alice bob
WHERE reference = ? 0017: alice bob
WHERE reference = ? x17: erin
WHERE reference <> ? 100000: alice bob erin frank
NATURAL JOIN paid : bob carol
reference,who,points 0017,alice,0 17,bob,0 x17,erin,3 x0017,frank,4'
[ "$seen" = "$wanted" ] || { printf 'The rows were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: DBD::CSV deletes the reference 100000 with 1e5, and finds 0017 as 17"
