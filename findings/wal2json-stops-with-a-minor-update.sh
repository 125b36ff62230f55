#!/usr/bin/env bash
# wal2json 2.5 (Debian) with Postgres 15.20.
# Expected: a minor update of Postgres leaves a change feed running: its slot, its plugin and the settings
# are the same.
# Real: 15.20 has a setting that 15.0 had not: only the plugins in output_plugin_libraries may be named, by
# default pgoutput and test_decoding. A slot of wal2json cannot be made, and one that is there cannot be
# read, until the setting names wal2json too. What it has not read stays, and fills the disk with WAL. Seen,
# with the default, for a new slot and then for one that was there:
#   ERROR:  library "wal2json" may not be used as an output plugin
# For the product: upgrade.md uses pgoutput, which is allowed. Who feeds another system by wal2json sets it
# before the update; doctor's "upkeep" names a slot whose WAL piles up.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
bin=/usr/lib/postgresql/15/bin
"$bin/postgres" --version | grep -q " 15.20 " || { echo "needs postgresql-15 15.20" >&2; exit 1; }
dir=$(mktemp -d)
trap 'su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
(cd "$dir" && apt-get -qq download postgresql-15-wal2json 2>/dev/null &&
  dpkg-deb -x postgresql-15-wal2json_2.5-*.deb .)
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
options="-p 25498 -k $dir -c listen_addresses=127.0.0.1 -c wal_level=logical"
path="-c dynamic_library_path=$dir/usr/lib/postgresql/15/lib"
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '$options $path' start" >/dev/null
run() { psql -qAt -h 127.0.0.1 -p 25498 -U postgres -c "$1" 2>&1 | head -1 || true; }
allow() {
  run "alter system set output_plugin_libraries = $1" && run "select pg_reload_conf()" >/dev/null && sleep 1
}
make="select slot_name from pg_create_logical_replication_slot('feed', 'wal2json')"
read="select count(*) from pg_logical_slot_get_changes('feed', null, null)"
new=$(run "$make")
allow pgoutput,wal2json
allowed=$(run "$make")
allow pgoutput,test_decoding
old=$(run "$read")
refused='ERROR:  library "wal2json" may not be used as an output plugin'
got="$new|$allowed|$old"
want="$refused|feed|$refused"
[ "$got" = "$want" ] || { echo "expected $want, got $got" >&2; exit 1; }
echo "ok: Postgres 15.20 refuses slots of wal2json until output_plugin_libraries names it"
