#!/usr/bin/env bash
# PgBouncer 1.18.0 (Debian) in front of Postgres 15.
# Expected: after `alter role … set DateStyle` and RECONNECT, every client gets sessions with the new DateStyle.
# Real: a client that was connected before keeps the old one, because PgBouncer gives each server connection the
# DateStyle and TimeZone that the client had. bytea_output, which it does not track, is new for both. Seen:
#   old client: SQL, DMY, hex     new client: ISO, MDY, hex
# For the product: after the `alter role` statements of doctor, RECONNECT is not enough; the service restarts too.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
bin=/usr/lib/postgresql/15/bin
pgbouncer --version | grep -q "PgBouncer 1.18.0" || { echo "needs pgbouncer 1.18.0" >&2; exit 1; }
dir=$(mktemp -d)
trap 'kill "$(cat "$dir/pgb.pid")" || true; su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '-p 25499 -k $dir -c listen_addresses=127.0.0.1' start" >/dev/null
printf '%s\n' '[databases]' 'postgres = host=127.0.0.1 port=25499 user=postgres' '[pgbouncer]' \
  'listen_addr = 127.0.0.1' 'listen_port = 26499' 'auth_type = any' 'pool_mode = transaction' 'user = postgres' \
  'admin_users = postgres' 'unix_socket_dir =' "pidfile = $dir/pgb.pid" "logfile = $dir/pgb.log" > "$dir/pgb.ini"
direct() { psql -qAt -h 127.0.0.1 -p 25499 -U postgres "$@"; }
pooled() { psql -qAt -h 127.0.0.1 -p 26499 -U postgres "$@"; }
shown="select current_setting('DateStyle') || ', ' || current_setting('bytea_output')"
direct -c "alter role postgres set DateStyle = 'SQL, DMY'" -c "alter role postgres set bytea_output = 'escape'"
pgbouncer -q -d "$dir/pgb.ini"
sleep 1
mkfifo "$dir/in"
pooled < "$dir/in" > "$dir/old" &
exec 3> "$dir/in"
echo "$shown;" >&3
sleep 1
direct -c "alter role postgres set DateStyle = 'ISO, MDY'" -c "alter role postgres set bytea_output = 'hex'"
pooled -d pgbouncer -c RECONNECT
sleep 1
echo "$shown;" >&3
exec 3>&-
wait %1
new=$(pooled -c "$shown")
got="$(paste -sd'|' "$dir/old")|$new"
want="SQL, DMY, escape|SQL, DMY, hex|ISO, MDY, hex"
[ "$got" = "$want" ] || { echo "expected $want, got $got" >&2; exit 1; }
echo "ok: a client of PgBouncer keeps its DateStyle after alter role and RECONNECT"
