#!/usr/bin/env bash
# pg_rational 0.0.1 (Debian 12: postgresql-15-rational 0.0.2) with Postgres 15: exact fractions, the type rational.
# Expected: an amount that does not fit into two whole numbers of 32 bits is refused, as its documentation says that it
# "detects and halts arithmetic overflow for correctness", and as 3000000000.5 is: "value too large for rational".
# Real: only the whole part is looked at. A cast, which is there for doubles and not for numeric, takes a fraction nearby
# that fits, and says nothing: 12345678.91 is exact, 99999999.99 is 100000000, and 123456789.12 is 123456789.125. From
# 2^31 cents on, which is 21 million, most amounts with cents become others. Sums do halt.
# For the product: it has columns numeric(38, 12). Shares are computed in numeric, or in mpq with its digits named.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
dir=$(mktemp -d)
bin=$dir/usr/lib/postgresql/15/bin
trap 'su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
# A copy of Postgres, as this version reads extensions from no other folder.
mkdir -p "$dir/usr/lib/postgresql" "$dir/usr/share/postgresql"
cp -r /usr/lib/postgresql/15 "$dir/usr/lib/postgresql"
cp -r /usr/share/postgresql/15 "$dir/usr/share/postgresql"
(cd "$dir" && apt-get -qq download postgresql-15-rational=0.0.2-5+b1 2>/dev/null &&
  dpkg-deb -x postgresql-15-rational_*.deb .)
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
options="-p 25491 -k $dir -c listen_addresses=127.0.0.1"
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '$options' start" >/dev/null
run() { psql -XqAt -h 127.0.0.1 -p 25491 -U postgres -c "$1" 2>&1; }
run "create extension pg_rational"
got="$(run "select amount, amount::float8::rational, amount::float8::rational::float8
  from unnest('{12345678.91, 99999999.99, 123456789.12, 1000000000.50}'::numeric[]) amount")
$(run "select 3000000000.5::float8::rational" || true)
$(run "select '2147483647/1'::rational + '1/1'" || true)"
want="12345678.91|1234567891/100|12345678.91
99999999.99|100000000/1|100000000
123456789.12|987654313/8|123456789.125
1000000000.50|2000000001/2|1000000000.5
ERROR:  value too large for rational
ERROR:  intermediate value overflow in rational addition"
[ "$got" = "$want" ] || { printf 'expected\n%s\ngot\n%s\n' "$want" "$got" >&2; exit 1; }
echo "ok: pg_rational casts 99999999.99 to 100000000"
