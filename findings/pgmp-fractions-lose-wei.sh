#!/usr/bin/env bash
# pgmp 1.0.4 (Debian 12) with Postgres 15: exact fractions, the type mpq.
# Expected: an amount that became a fraction, so that shares of it are exact, becomes the same amount again.
# Its documentation says that a cast to numeric rounds to the digits of the target, as Postgres does.
# Real: it cuts them off. 1.99 as numeric(10, 1) is 1.9, and 2.0 in Postgres. To numeric without digits, which
# has no limit in Postgres, it keeps 15 decimals: a wei, 10^-18, is 0, and the sum of 0.1 and a wei is 0.1.
# mpq itself has them all, and numeric(38, 18) gets them.
# For the product: it has columns numeric(38, 12). Who computes shares of them with pgmp names the digits in
# each cast, and one more than are needed, and lets Postgres round.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
dir=$(mktemp -d)
bin=$dir/usr/lib/postgresql/15/bin
trap 'su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
# A copy of Postgres, as this version reads extensions from no other folder.
mkdir -p "$dir/usr/lib/postgresql" "$dir/usr/share/postgresql"
cp -r /usr/lib/postgresql/15 "$dir/usr/lib/postgresql"
cp -r /usr/share/postgresql/15 "$dir/usr/share/postgresql"
(cd "$dir" && apt-get -qq download postgresql-15-pgmp=1.0.4-5+b1 2>/dev/null &&
  dpkg-deb -x postgresql-15-pgmp_*.deb .)
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
options="-p 25496 -k $dir -c listen_addresses=127.0.0.1"
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '$options' start" >/dev/null
run() { psql -qAt -h 127.0.0.1 -p 25496 -U postgres -c "$1"; }
run "create extension pgmp"
got="$(run "select 1.99::mpq::numeric(10, 1), 1.99::numeric(10, 1)")
$(run "with wei as (select 0.000000000000000001 as amount)
  select amount::mpq, amount::mpq::numeric, (0.1::mpq + amount::mpq)::numeric, amount::mpq::numeric(38, 18)
  from wei")"
want="1.9|2.0
1/1000000000000000000|0|0.1|0.000000000000000001"
[ "$got" = "$want" ] || { printf 'expected\n%s\ngot\n%s\n' "$want" "$got" >&2; exit 1; }
echo "ok: pgmp cuts fractions to 15 decimals where numeric has no limit, and never rounds"
