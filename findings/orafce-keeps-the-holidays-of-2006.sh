#!/usr/bin/env bash
# orafce 4.1.1 (Debian 12: postgresql-15-orafce) with Postgres 15: the business days of plvdate.
# Expected: as its documentation says, default_holidays loads a country's "common holidays for all regions", isbizday
# is whether "a date is a business day", nearest_bizday "the nearest business date to a given date", and
# bizdays_between the number of business days.
# Real: holidays are days that are the same each year, and those that move are where they were in 2006: to it,
# Thanksgiving of 2026 is Monday, 23 November, and the 26th is a business day. So are Memorial Day and Labor Day in the
# USA, both bank holidays of May and that of August in the United Kingdom, and Ascension Day in Germany, and a plain
# day counts as each of them. Only Easter is calculated. nearest_bizday of a Wednesday is the Tuesday, never the day
# itself. bizdays_between looks at each day's weekday, and at the next day's holidays: a week with a holiday on its
# Monday has five business days, and 21 to 31 December six in Austria, of which isbizday says eight. Nothing is said.
# For the product: it has no business days; due times are what a contract asked for. Who computes them with these
# functions pays on days on which banks do not, and counts interest and deadlines wrong. Register the days of each year
# by set_nonbizday, and count with isbizday.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
dir=$(mktemp -d)
bin=$dir/usr/lib/postgresql/15/bin
trap 'su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
# A copy of Postgres, as this version reads extensions from no other folder.
mkdir -p "$dir/usr/lib/postgresql" "$dir/usr/share/postgresql"
cp -r /usr/lib/postgresql/15 "$dir/usr/lib/postgresql"
cp -r /usr/share/postgresql/15 "$dir/usr/share/postgresql"
(cd "$dir" && apt-get -qq download postgresql-15-orafce=4.1.1-1 2>/dev/null && dpkg-deb -x postgresql-15-orafce_*.deb .)
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
options="-p 25701 -k $dir -c listen_addresses=127.0.0.1"
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '$options' start" >/dev/null
run() { psql -XqAt -h 127.0.0.1 -p 25701 -U postgres -c "$1" 2>&1; }
run "create extension orafce"
# The country is remembered by the session, so that each line is one.
days() {
  echo "$1: $(run "do 'begin perform plvdate.default_holidays(''$1''); end';
    select string_agg(day || case when plvdate.isbizday(day::date) then ' business' else ' holiday' end, ', ')
    from unnest('{$2}'::text[]) day")"
}
got="$(days Usa 2026-11-23,2026-11-26,2026-05-25,2026-05-29,2026-09-04,2026-09-07,2006-11-23)
$(days Gb 2026-05-01,2026-05-04,2026-05-25,2026-05-29,2026-08-28,2026-08-31,2026-04-03,2026-04-06)
$(days Germany 2026-05-14,2026-05-25,2026-06-04,2027-05-06,2027-05-17)
nearest: $(run "select plvdate.nearest_bizday('2026-12-02'), plvdate.nearest_bizday('2026-12-05')")
$(run "do 'begin perform plvdate.default_holidays(''Austria''); end';
  select 'from ' || a || ': ' || plvdate.bizdays_between(a, b) || ' between, ' || (
    select count(*) from generate_series(a, b, '1 day') day where plvdate.isbizday(day::date)) || ' days'
  from (values ('2026-10-26'::date, '2026-10-30'::date), ('2026-12-21', '2026-12-31'), ('2026-11-09', '2026-11-13'))
    weeks (a, b)")"
want="Usa: 2026-11-23 holiday, 2026-11-26 business, 2026-05-25 business, 2026-05-29 holiday, 2026-09-04 holiday,\
 2026-09-07 business, 2006-11-23 holiday
Gb: 2026-05-01 holiday, 2026-05-04 business, 2026-05-25 business, 2026-05-29 holiday, 2026-08-28 holiday,\
 2026-08-31 business, 2026-04-03 holiday, 2026-04-06 holiday
Germany: 2026-05-14 business, 2026-05-25 holiday, 2026-06-04 holiday, 2027-05-06 business, 2027-05-17 business
nearest: 2026-12-01|2026-12-04
from 2026-10-26: 5 between, 4 days
from 2026-12-21: 6 between, 8 days
from 2026-11-09: 5 between, 5 days"
[ "$got" = "$want" ] || { printf 'expected\n%s\ngot\n%s\n' "$want" "$got" >&2; exit 1; }
echo "ok: to orafce, Thanksgiving of 2026 is a business day, and three days earlier is none"
