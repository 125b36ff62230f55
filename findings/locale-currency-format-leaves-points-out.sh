#!/usr/bin/env bash
# Locale::Currency::Format 1.35 for Perl (Debian 12: liblocale-currency-format-perl), currency_format.
# Expected: as its documentation says, it displays "monetary values in the formats recognized internationally and/or
# locally": 1234.5 Azerbaijani manats, which have two decimals in ISO 4217, as 1234.50, as decimal_precision says, too.
# Really: of ten currencies it knows the decimals and not the sign before them, so it writes none. 1234.5 manats are
# 123450, and so are Serbian and Algerian dinars, dollars of Barbados and leks; 1234.5 Tunisian dinars are 1234500, and
# half a manat is 050. To it, Turkish lira, naira, dirhams of Morocco, riyals of Qatar and many others have no
# decimals: 1234.5 are 1235, and half a lira is 1. Nothing is said. Dollars of the USA, euros, pounds, francs and yen
# are right, so a test with these shows nothing.
# What follows: an invoice or a mail says a hundred times what is due, or a thousand times, and a person who enters it
# pays that. Set the format of each currency by currency_set, and look at an amount of cents. Amounts here are decimals
# of a point type, with a point.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download liblocale-currency-format-perl=1.35-3 2>/dev/null
dpkg-deb -x liblocale-currency-format-perl_*.deb .
cat >amounts.pl <<'PERL'
use strict;
use Locale::Currency::Format;

for my $code (qw(USD CHF AZN RSD DZD BBD ALL TND IQD TRY NGN MAD QAR JPY)) {
    my ($large, $small) = map { currency_format($code, $_) } 1234.5, 0.5;
    print "$large, $small (", decimal_precision($code) // "none", ")\n";
}
PERL
seen=$(PERL5LIB=$dir/usr/share/perl5 perl amounts.pl)
wanted='1,234.50 USD, 0.50 USD (2)
1'\''234.50 CHF, 0.50 CHF (2)
123450 AZN, 050 AZN (2)
123450 RSD, 050 RSD (2)
123450 DZD, 050 DZD (2)
123450 BBD, 050 BBD (2)
123450 ALL, 050 ALL (2)
1234500 TND, 0500 TND (3)
1234500 IQD, 0500 IQD (3)
1,235 TRY, 1 TRY (none)
1235 NGN, 1 NGN (none)
1235 MAD, 1 MAD (none)
1235 QAR, 1 QAR (none)
1,235 JPY, 1 JPY (none)'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: Locale::Currency::Format writes 1234.5 manats as 123450"
