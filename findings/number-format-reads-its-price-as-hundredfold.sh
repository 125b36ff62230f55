#!/usr/bin/env bash
# Number::Format 1.75 for Perl (Debian 12), format_price and unformat_number.
# Expected: as its documentation says, unformat_number converts "a string as returned by format_number(),
# format_price(), or format_picture()". The German formatter that it shows as an example, with thousands_sep ".",
# decimal_point "," and int_curr_symbol "DEM", writes and reads German amounts.
# Really: format_price has signs of its own, named mon_…, which the example does not set: 0.50 is "DEM 0.50". To
# unformat_number that point separates thousands, so it is 50, and "DEM 1,234.50" is 1.2345. Nothing is said below
# a million. format_number writes 0,50, and is read right.
# What follows: fifty cents come back as fifty euros. Set mon_decimal_point and mon_thousands_sep as well, and keep
# amounts as plain decimals, as this service's interfaces do.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download libnumber-format-perl=1.75-3 2>/dev/null
dpkg-deb -x libnumber-format-perl_*.deb .
cat >price.pl <<'PERL'
use Number::Format;
my @german = (-thousands_sep => ".", -decimal_point => ",", -int_curr_symbol => "DEM");
my @money = (-mon_thousands_sep => ".", -mon_decimal_point => ",");
for my $format (Number::Format->new(@german), Number::Format->new(@german, @money)) {
  for my $amount (0.5, 1234.5, 1234567.5) {
    my @texts = ($format->format_number($amount, 2, 1), $format->format_price($amount));
    print join(" | ", map { "$_ is " . (eval { $format->unformat_number($_) } // "refused") } @texts), "\n";
  }
}
PERL
seen=$(LC_ALL=C perl -Iusr/share/perl5 price.pl)
wanted='0,50 is 0.5 | DEM 0.50 is 50
1.234,50 is 1234.5 | DEM 1,234.50 is 1.2345
1.234.567,50 is 1234567.5 | DEM 1,234,567.50 is refused
0,50 is 0.5 | DEM 0,50 is 0.5
1.234,50 is 1234.5 | DEM 1.234,50 is 1234.5
1.234.567,50 is 1234567.5 | DEM 1.234.567,50 is 1234567.5'
[ "$seen" = "$wanted" ] || { printf 'The prices were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: Number::Format writes fifty pfennigs so that it reads fifty marks"
