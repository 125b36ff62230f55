#!/usr/bin/env bash
# pgFormatter 5.5 and sqlformat of sqlparse 0.4.2 (Debian 12), which lay out SQL. Postgres 15 runs what they write.
# Expected: other spaces and line breaks between words, and the same statement: what is in quotes is a value. Both
# write it as it is.
# Real: to both, a backslash in quotes takes the quote behind it along, as in MySQL. In Postgres it is a sign like
# others, unless the text begins with E, so that a text such as 'C:\' ends where they think that it continues, and they
# lay out the texts behind it: 'two  eggs and group' is ' two eggs', a line break and 'AND group' to pg_format, which
# is made for Postgres, and 'season  2' is 'season 2 '. sqlformat takes spaces out. Both exit with 0, and what they
# write runs. Where no text ends with a backslash, texts stay as they are.
# For the product: a migration or a list of payments in SQL that was formatted before it is committed has other notes
# and references, and a reference that is another one is paid again. Give such values as parameters, as this service
# does. No SQL of its own is formatted by them.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
dir=$(mktemp -d)
bin=/usr/lib/postgresql/15/bin
trap 'su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download pgformatter=5.5-1 sqlformat=0.4.2-1+deb12u1 python3-sqlparse=0.4.2-1+deb12u1 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
export PYTHONPATH="$dir/usr/lib/python3/dist-packages" PERL5LIB="$dir/usr/share/perl5"
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
options="-p 25703 -k $dir -c listen_addresses=127.0.0.1"
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '$options' start" >/dev/null
cat >batches.sql <<'SQL'
create temp table batches (folder text, note text, reference text);
insert into batches values ('C:\in', 'two  eggs and group', 'season  1');
insert into batches values ('C:\', 'two  eggs and group', 'season  2');
SQL
echo "select folder, '[' || note || '] [' || reference || ']' from batches;" >shown.sql
shown() { (cat "$1" && printf '\n' && cat shown.sql) | psql -XqAt -h 127.0.0.1 -p 25703 -U postgres 2>&1; }
usr/bin/pg_format batches.sql >formatted.sql
python3 usr/bin/sqlformat -r batches.sql >reindented.sql
seen="as it was
$(shown batches.sql)
pg_format
$(shown formatted.sql)
sqlformat
$(shown reindented.sql)"
wanted='as it was
C:\in|[two  eggs and group] [season  1]
C:\|[two  eggs and group] [season  2]
pg_format
C:\in|[two  eggs and group] [season  1]
C:\|[ two eggs
        AND group] [season 2 ]
sqlformat
C:\in|[two  eggs and group] [season  1]
C:\|[two eggs and group] [season 2]'
[ "$seen" = "$wanted" ] || { printf 'The rows were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: pg_format and sqlformat change what is in quotes behind a text that ends with a backslash"
