#!/usr/bin/env bash
# first_last_agg 0.1.4 (Debian 12: postgresql-15-first-last-agg) with Postgres 15: the aggregates first and last.
# Expected: as its documentation says, they return "the first or the last value of the group", operate "on any element
# type", and are to be used with ORDER BY. So two columns by one order are of one row, as by array_agg, or by Postgres'
# own first_value, which have a null where the row has one.
# Real: what is null is left out, of each column by itself. Alice's last row has no hold any more, and last(hold) is the
# hold before. Bob's last row names a new address and no amount, and the answer is the new address with the amount of
# the old one, which is a row that never was. Nothing is said. Where no column has a null, it is right, so a test with
# full rows shows nothing.
# For the product: its own queries have neither. Who reads its tables or exports in this way takes the last row by
# (array_agg(hold order by at desc))[1] or DISTINCT ON.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
dir=$(mktemp -d)
bin=$dir/usr/lib/postgresql/15/bin
trap 'su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
# A copy of Postgres, as this version reads extensions from no other folder.
mkdir -p "$dir/usr/lib/postgresql" "$dir/usr/share/postgresql"
cp -r /usr/lib/postgresql/15 "$dir/usr/lib/postgresql"
cp -r /usr/share/postgresql/15 "$dir/usr/share/postgresql"
(cd "$dir" && apt-get -qq download postgresql-15-first-last-agg=0.1.4-4-gd63ea3b-6+b1 2>/dev/null &&
  dpkg-deb -x postgresql-15-first-last-agg_*.deb .)
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '-p 25703 -k $dir -c listen_addresses=' start" >/dev/null
run() { psql -XqAt -h "$dir" -p 25703 -U postgres -c "$1" 2>&1; }
run "create extension first_last_agg"
run "create table changes (account text, at int, recipient text, points numeric, hold text)"
run "insert into changes values ('alice', 1, '0xa1', 5, 'held'), ('alice', 2, '0xa1', 5, null),
  ('bob', 1, '0xb1', 6, 'held'), ('bob', 2, '0xb2', null, null),
  ('carol', 1, '0xc1', 7, 'held'), ('carol', 2, '0xc2', 8, 'free')"
got="$(run "select account, last(recipient order by at), last(points order by at), last(hold order by at)
  from changes group by account order by account")
the rows:
$(run "select distinct on (account) account, recipient, points, hold from changes order by account, at desc")
array_agg:
$(run "select account, (array_agg(recipient order by at desc))[1], (array_agg(points order by at desc))[1],
  (array_agg(hold order by at desc))[1] from changes group by account order by account")
first, backwards:
$(run "select account, first(points order by at desc), first(hold order by at desc)
  from changes group by account order by account")"
want='alice|0xa1|5|held
bob|0xb2|6|held
carol|0xc2|8|free
the rows:
alice|0xa1|5|
bob|0xb2||
carol|0xc2|8|free
array_agg:
alice|0xa1|5|
bob|0xb2||
carol|0xc2|8|free
first, backwards:
alice|5|held
bob|6|held
carol|8|free'
[ "$got" = "$want" ] || { printf 'expected\n%s\ngot\n%s\n' "$want" "$got" >&2; exit 1; }
echo "ok: to first_last_agg, a hold that is gone is still the last one, and a new address has the amount of the old"
