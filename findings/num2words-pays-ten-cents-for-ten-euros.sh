#!/usr/bin/env bash
# num2words 0.5.10 for Python (Debian 12: python3-num2words), which writes amounts in words, as receipts and cheques
# have them, by to="currency".
# Expected: as its own comment says, the amount is a "Numeric value" of the currency. So 10, 10.0, the text "10" and
# Decimal("10") are ten euros.
# Really: a whole number of Python is one of cents: 10 is ten cents, and the others are ten euros. JSON that has 10 and
# 10.5 for two amounts gives one of each kind, and nothing is said. So it is in each of six more languages, and the
# command of the package has ten euros, as it reads texts. What is more precise than a cent is rounded, by floats as
# they are: 1.005 is one euro. With decimals in each amount, all are right, so a test with 12.50 shows nothing.
# What follows: receipts of whole amounts say a hundredth of what was paid. Amounts of our API are strings or integers
# (docs/going-live.md), so that a reader in Python meets both. Give it Decimals or texts.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download python3-num2words=0.5.10-2 python3-docopt=0.6.2-4.1 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat >words.py <<'PY'
import json
from decimal import Decimal
from num2words import num2words

for amount in [10, 10.0, "10", Decimal("10"), *json.loads("[1000, 1000.5]"), -500, 1.005]:
    print(repr(amount), "is", num2words(amount, to="currency", currency="EUR").replace("  ", " "))
for language in ["de", "es", "fr", "nl", "pl", "ru"]:
    words = [num2words(amount, to="currency", currency="EUR", lang=language) for amount in [10, "10"]]
    print(language, *words, sep=": ")
PY
export PYTHONPATH=$dir/usr/lib/python3/dist-packages PYTHONIOENCODING=utf-8
seen="$(/usr/bin/python3 words.py)
the command: $(/usr/bin/python3 usr/bin/num2words 10 --to=currency)"
wanted="10 is zero euro, ten cents
10.0 is ten euro, zero cents
'10' is ten euro, zero cents
Decimal('10') is ten euro, zero cents
1000 is ten euro, zero cents
1000.5 is one thousand euro, fifty cents
-500 is minus five euro, zero cents
1.005 is one euro, zero cents
de: null Euro und zehn Cent: zehn Euro und null Cent
es: cero euros con diez céntimos: diez euros con cero céntimos
fr: zéro euros et dix centimes: dix euros et zéro centimes
nl: nul euro, tien cent: tien euro, nul cent
pl: zero euro, dziesięć centów: dziesięć euro, zero centów
ru: ноль евро, десять центов: десять евро, ноль центов
the command: ten euro, zero cents"
[ "$seen" = "$wanted" ] || { printf 'The words were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to num2words, 10 is ten cents, and 10.0 ten euros"
