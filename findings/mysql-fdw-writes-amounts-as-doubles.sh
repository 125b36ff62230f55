#!/usr/bin/env bash
# mysql_fdw 2.8.0 (Debian 12: postgresql-15-mysql-fdw) with Postgres 15 and MariaDB 10.11.
# Expected: an amount goes from a numeric(38, 12) of Postgres into a decimal(38, 12) of MariaDB with all its digits, as
# it comes back with them. Both are exact, and the documentation says nothing of a type between them.
# Real: each numeric that is written is sent as a double. 99999999999999.99 arrives as 99999999999999.98, and
# 12345678901234567890.123456789012 as 12345678901234567000. So an update that sets an amount to itself changes it.
# Nothing is said. What is read is exact, and so are small amounts with few digits, which a test has.
# For the product: its amounts have up to 38 digits. Who copies them through this wrapper writes them into a text column
# and casts them in MariaDB, or compares what arrived.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
dir=$(mktemp -d)
bin=$dir/usr/lib/postgresql/15/bin
maria=
stop() {
  su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null || true
  if [ -n "$maria" ]; then { kill "$maria" && wait "$maria"; } 2>/dev/null || true; fi
  rm -rf "$dir"
}
trap stop EXIT
# A copy of Postgres, as this version reads extensions from no other folder.
mkdir -p "$dir/usr/lib/postgresql" "$dir/usr/share/postgresql" "$dir/maria"
cp -r /usr/lib/postgresql/15 "$dir/usr/lib/postgresql"
cp -r /usr/share/postgresql/15 "$dir/usr/share/postgresql"
(cd "$dir" && apt-get -qq download postgresql-15-mysql-fdw=2.8.0-4 libmariadb3 libmariadb-dev libmariadb-dev-compat \
  mariadb-server-core mariadb-common liburing2 libaio1 libnuma1 2>/dev/null &&
  for package in *.deb; do dpkg-deb -x "$package" .; done)
libraries=$(echo "$dir"/usr/lib/*-linux-gnu):$(echo "$dir"/lib/*-linux-gnu)
chown postgres "$dir" "$dir/maria"
# The table is made where it starts: there is no client.
cat >"$dir/first.sql" <<'SQL'
create database if not exists pay;
create table pay.paid (id int primary key, points decimal(38,12));
insert into pay.paid values (1, 12345678901234567890.123456789012);
SQL
LD_LIBRARY_PATH=$libraries setsid "$dir/usr/sbin/mariadbd" --no-defaults --skip-grant-tables --user=postgres \
  --datadir="$dir/maria" --lc-messages-dir="$dir/usr/share/mysql" --socket="$dir/maria.sock" \
  --bind-address=127.0.0.1 --port=25493 --init-file="$dir/first.sql" >"$dir/maria.log" 2>&1 &
maria=$!
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
options="-p 25492 -k $dir -c listen_addresses=127.0.0.1"
su postgres -c "LD_LIBRARY_PATH=$libraries $bin/pg_ctl -D $dir/pg -w -l $dir/log -o '$options' start" >/dev/null
run() { psql -XqAt -h 127.0.0.1 -p 25492 -U postgres -c "$1"; }
run "create extension mysql_fdw;
  create server maria foreign data wrapper mysql_fdw options (host '127.0.0.1', port '25493');
  create user mapping for postgres server maria options (username 'root', password '');
  create foreign table paid (id int, points numeric(38,12)) server maria options (dbname 'pay', table_name 'paid')"
for _ in $(seq 100); do run "select 1 from paid" >/dev/null 2>&1 && break; sleep 0.2; done
before=$(run "select points from paid")
run "update paid set points = points where id = 1"
run "insert into paid values (2, 99999999999999.99), (3, 1234567.89), (4, 0.000000000001)"
got="before: $before
$(run "select id, points from paid order by id")"
want="before: 12345678901234567890.123456789012
1|12345678901234567000.000000000000
2|99999999999999.980000000000
3|1234567.890000000000
4|0.000000000001"
[ "$got" = "$want" ] || { printf 'expected\n%s\ngot\n%s\n' "$want" "$got" >&2; exit 1; }
echo "ok: mysql_fdw writes each numeric as a double, and changes an amount that is set to itself"
