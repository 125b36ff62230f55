#!/usr/bin/env bash
# pgloader 3.6.9 (Debian 12; it calls itself 3.6.7) from a database of SQLite into Postgres 15.
# Expected: an amount that SQLite keeps in a column REAL, a double of 8 bytes there, arrives as it is.
# Real: the column becomes `real`, which is the name of 4 bytes in Postgres. 1234567.89 arrives as
# 1.2345679e+06, and 33554433 as 3.3554432e+07. The report counts no errors. A column `double` becomes double
# precision and keeps its digits, and so does `numeric`.
# For the product: balances that pgloader moves need --cast "type real to numeric using float-to-string", and
# their sum is compared in both databases.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
bin=/usr/lib/postgresql/15/bin
dir=$(mktemp -d)
trap 'su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
(cd "$dir" && apt-get -qq download pgloader=3.6.9-1 sqlite3 libsqlite3-0 2>/dev/null &&
  for package in *.deb; do dpkg-deb -x "$package" .; done)
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
options="-p 25495 -k $dir -c listen_addresses=127.0.0.1"
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '$options' start" >/dev/null
export LD_LIBRARY_PATH
"$dir/usr/bin/sqlite3" "$dir/balances.db" "create table balances (points real, other double, exact numeric);
  insert into balances values (1234567.89, 1234567.89, 1234567.89), (33554433, 33554433, 33554433)"
report=$("$dir/usr/bin/pgloader" "$dir/balances.db" pgsql://postgres@127.0.0.1:25495/postgres)
select="select points, other, exact from balances order by points"
got="$(grep -oE '^ +balances +[0-9]+' <<<"$report" | tr -s ' ')
$(psql -qAt -h 127.0.0.1 -p 25495 -U postgres -c "$select")"
want=" balances 0
1.2345679e+06|1234567.89|1234567.89
3.3554432e+07|33554433|33554433"
[ "$got" = "$want" ] || { printf 'expected\n%s\ngot\n%s\n' "$want" "$got" >&2; exit 1; }
echo "ok: pgloader copies SQLite's REAL of 8 bytes into a real of 4"
