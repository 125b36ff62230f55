#!/usr/bin/env bash
# wal2json 2.5 (Debian) with Postgres 15.20, read by Node's JSON.parse.
# Expected: an amount of the column numeric(38,12) arrives as it is stored, as in every dump and query.
# Real: it is a bare JSON number of up to 38 digits. The text is exact, but JSON.parse, and every reader
# that makes doubles of numbers, rounds it. Seen, stored and then parsed:
#   12345678901234567890.123456789012 12345678901234567000
# For the product: no interface of its own has amounts as numbers. Who reads its tables by wal2json parses
# decimals.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
bin=/usr/lib/postgresql/15/bin
dir=$(mktemp -d)
trap 'su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
(cd "$dir" && apt-get -qq download postgresql-15-wal2json 2>/dev/null &&
  dpkg-deb -x postgresql-15-wal2json_2.5-*.deb .)
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
options="-p 25497 -k $dir -c listen_addresses=127.0.0.1 -c wal_level=logical"
options="$options -c output_plugin_libraries=wal2json"
path="-c dynamic_library_path=$dir/usr/lib/postgresql/15/lib"
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '$options $path' start" >/dev/null
run() { psql -qAt -h 127.0.0.1 -p 25497 -U postgres -c "$1"; }
run "create table amounts (points numeric(38,12))"
run "select pg_create_logical_replication_slot('feed', 'wal2json')" >/dev/null
run "insert into amounts values (12345678901234567890.123456789012)"
run "select data from pg_logical_slot_get_changes('feed', null, null)" > "$dir/changes"
stored=$(run "select points from amounts")
grep -qF "$stored" "$dir/changes" || { echo "the text lost digits: $(cat "$dir/changes")" >&2; exit 1; }
parsed=$(node -e 'const text = require("fs").readFileSync(process.argv[1], "utf8");
const lines = text.trim().split("\n").map(JSON.parse);
  const [value] = lines.flatMap(({ change }) => change).map(({ columnvalues }) => columnvalues[0]);
  console.log(String(value));' "$dir/changes")
got="$stored $parsed"
want="12345678901234567890.123456789012 12345678901234567000"
[ "$got" = "$want" ] || { echo "expected $want, got $got" >&2; exit 1; }
echo "ok: wal2json writes numeric amounts as JSON numbers, which JSON.parse rounds"
