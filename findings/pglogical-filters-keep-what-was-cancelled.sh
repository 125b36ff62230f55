#!/usr/bin/env bash
# pglogical 2.4.2 (Debian 12) with Postgres 15.20: a table that is replicated with a row_filter.
# Expected: the subscriber has the rows that match the filter. An update that takes a row out of it deletes the row
# there, and one that brings a row into it inserts it, as Postgres' own publications with WHERE do since 15. Its
# documentation says that only rows for which the filter is true are replicated, and nothing of updates.
# Real: each change is looked at by its new values only. Of an update that does not match, nothing is sent, so that a
# batch that was cancelled stays approved for ever. One that does match is sent as an update of a row that is not
# there, which the log calls a conflict and skips: of a batch that was approved today, nothing arrives. A DELETE has
# only the key, so that no filter on another column is true, and the row stays, too. The subscription is replicating.
# For the product: upgrade.md uses whole tables. Who feeds another system with a filter on a state that changes, such
# as that of a batch, filters there.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
dir=$(mktemp -d)
bin=$dir/usr/lib/postgresql/15/bin
trap 'su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
# A copy of Postgres, as this version reads extensions from no other folder.
mkdir -p "$dir/usr/lib/postgresql" "$dir/usr/share/postgresql"
cp -r /usr/lib/postgresql/15 "$dir/usr/lib/postgresql"
cp -r /usr/share/postgresql/15 "$dir/usr/share/postgresql"
(cd "$dir" && apt-get -qq download postgresql-15-pglogical=2.4.2-3 2>/dev/null &&
  dpkg-deb -x postgresql-15-pglogical_*.deb .)
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
options="-p 25494 -k $dir -c listen_addresses=127.0.0.1 -c wal_level=logical -c max_worker_processes=20"
options="$options -c shared_preload_libraries=pglogical -c output_plugin_libraries=pglogical_output,pgoutput"
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '$options' start" >/dev/null
run() { psql -XqAt -h 127.0.0.1 -p 25494 -U postgres -d "$1" -c "$2"; }
until_there() { for _ in $(seq 100); do [ -z "$(run "$1" "$2")" ] || return 0; sleep 0.2; done; }
table="create table batches (id int primary key, state text, points numeric)"
# The same tables and changes, once by pglogical and once by Postgres' own publications.
for name in out in own_out own_in; do run postgres "create database \"$name\""; run $name "$table"; done
rows="insert into batches values (1, 'approved', 5), (2, 'draft', 7), (3, 'approved', 9)"
run out "$rows"
run own_out "$rows"
dsn="host=127.0.0.1 port=25494 user=postgres dbname"
run out "create extension pglogical; select pglogical.create_node('out', '$dsn=out');
  select pglogical.replication_set_add_table('default', 'batches', true, null, \$\$state = 'approved'\$\$)" >/dev/null
run in "create extension pglogical; select pglogical.create_node('in', '$dsn=in');" >/dev/null
run in "select pglogical.create_subscription('feed', '$dsn=out')" >/dev/null
run own_out "alter table batches replica identity full;
  create publication feed for table batches where (state = 'approved')"
run own_out "select pg_create_logical_replication_slot('own', 'pgoutput')" >/dev/null
run own_in "create subscription feed connection '$dsn=own_out' publication feed with (create_slot = false,
  slot_name = own)"
for name in in own_in; do until_there $name "select 1 from batches having count(*) = 2"; done
for name in out own_out; do
  run $name "update batches set state = 'cancelled' where id = 1"
  run $name "update batches set state = 'approved' where id = 2"
  run $name "delete from batches where id = 3"
  run $name "insert into batches values (4, 'approved', 1)"
done
for name in in own_in; do until_there $name "select 1 from batches where id = 4"; done
list="select string_agg(id || ' ' || state, ', ' order by id) from batches"
got="written: $(run out "$list")
pglogical: $(run in "$list")
Postgres: $(run own_in "$list")
$(run in "select status from pglogical.show_subscription_status()")
$(grep -oE 'CONFLICT: remote UPDATE.*' "$dir/log")"
run own_in "drop subscription feed" 2>/dev/null
want="written: 1 cancelled, 2 approved, 4 approved
pglogical: 1 approved, 3 approved, 4 approved
Postgres: 2 approved, 4 approved
replicating
CONFLICT: remote UPDATE on relation public.batches replica identity index batches_pkey (tuple not found). Resolution: skip."
[ "$got" = "$want" ] || { printf 'expected\n%s\ngot\n%s\n' "$want" "$got" >&2; exit 1; }
echo "ok: pglogical leaves rows at the subscriber that no longer match its filter, and does not send those that now do"
