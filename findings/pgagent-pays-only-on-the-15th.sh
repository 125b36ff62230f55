#!/usr/bin/env bash
# pgAgent 4.2.2 (Debian 12: pgagent) with Postgres 15: its function pga_next_schedule, which says when a schedule runs
# next, for the agent that runs it.
# Expected: a schedule has a list of days of the month, 1 to 31 and the last one, which is the 32nd of the list. So the
# 15th and the last day, on which wages are paid, are 24 days of a year, and the 31st is seven.
# Real: the last day counts only where it is the only one of the list. With the 15th beside it, it never comes, and
# with the 1st neither, and nothing is said. By itself it is right, also in leap years. A day that a month does not
# have is an error: after 31 January the schedule of the 31st fails, "date/time field value out of range", wherever the
# months between are not left out, and with it the statement that should set the next time.
# For the product: its finalizer has no calendar. Who submits batches by pgAgent makes a schedule for the last day
# only, and one for the 15th, and names the months of the 29th to the 31st.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
dir=$(mktemp -d)
bin=$dir/usr/lib/postgresql/15/bin
trap 'su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
# A copy of Postgres, as this version reads extensions from no other folder.
mkdir -p "$dir/usr/lib/postgresql" "$dir/usr/share/postgresql"
cp -r /usr/lib/postgresql/15 "$dir/usr/lib/postgresql"
cp -r /usr/share/postgresql/15 "$dir/usr/share/postgresql"
(cd "$dir" && apt-get -qq download pgagent=4.2.2-2 2>/dev/null && dpkg-deb -x pgagent_*.deb .)
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
options="-p 25702 -k $dir -c listen_addresses=127.0.0.1"
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '$options' start" >/dev/null
run() { psql -XqAt -h 127.0.0.1 -p 25702 -U postgres -c "$1" 2>&1; }
run "create extension pgagent"
run "create function list(size int, chosen int[]) returns bool[] language sql
  as 'select array_agg(i = any(chosen) order by i) from generate_series(1, size) i'"
# The next times at 09:00, each looked for a minute after the one before.
run "create function times(days int[], months int[] = '{}') returns text language plpgsql as '
  declare
    at timestamptz := ''2050-01-01'';
    seen text := '''';
  begin
    for i in 1 .. 6 loop
      at := pgagent.pga_next_schedule(1, at, ''2099-01-01'', list(60, ''{1}''), list(24, ''{10}''), list(7, ''{}''),
        list(32, days), list(12, months));
      seen := seen || to_char(at, '' DD.MM.'');
      at := at + ''1 minute''::interval;
    end loop;
    return seen;
  exception when others then return seen || '' '' || sqlerrm;
  end'"
got="last:$(run "select times('{32}')")
15, last:$(run "select times('{15, 32}')")
1, last:$(run "select times('{1, 32}')")
31:$(run "select times('{31}')")
31 of January and March:$(run "select times('{31}', '{1, 3}')")"
want='last: 31.01. 28.02. 31.03. 30.04. 31.05. 30.06.
15, last: 15.01. 15.02. 15.03. 15.04. 15.05. 15.06.
1, last: 01.01. 01.02. 01.03. 01.04. 01.05. 01.06.
31: 31.01. date/time field value out of range: "2050-2-31 9:0"
31 of January and March: 31.01. 31.03. 31.01. 31.03. 31.01. 31.03.'
[ "$got" = "$want" ] || { printf 'expected\n%s\ngot\n%s\n' "$want" "$got" >&2; exit 1; }
echo "ok: to pgAgent, the 15th and the last day of a month are the 15th"
