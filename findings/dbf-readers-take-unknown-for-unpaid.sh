#!/usr/bin/env bash
# Readers of dBASE files, which many bank and accounting programs write: pgdbf 0.6.2 and ruby-dbf 3.0.5 (Debian 12).
# dbfread 2.0.7 for Python is beside them.
# Expected: a logical field has T, Y, F, N, or ? for what was not said, which is null, as an empty number or date is to
# both of them, and as all three are to dbfread. Their documentation says only that there are such fields.
# Really: both read ? as false, and an empty one, too. T, Y, F and N are right.
# What follows: a row of which nobody knows whether it was paid is one that was not, and is paid again by a query for
# those. Read the column as text, or count the ? first. A state that is missing is never one here.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download pgdbf=0.6.2-1.1+b2 ruby-dbf=3.0.5-2 python3-dbfread=2.0.7-5 ruby3.1 libruby3.1 libyaml-0-2 \
  libgmp10 libcrypt1 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH PYTHONPATH="$dir/usr/lib/python3/dist-packages"
cat >write.py <<'PY'
import struct

fields = [("WHO", "C", 5, 0), ("AMOUNT", "N", 8, 2), ("PAID", "L", 1, 0)]
rows = [("alice", "5.00", "T"), ("bob", "7.00", "F"), ("carol", "9.00", "?"), ("dave", "", " ")]
size = 1 + sum(field[2] for field in fields)
head = struct.pack("<BBBBIHH20x", 3, 126, 11, 30, len(rows), 33 + 32 * len(fields), size)
for name, kind, length, decimals in fields:
    head += struct.pack("<11sc4xBB14x", name.encode(), kind.encode(), length, decimals)
body = "".join(f" {who:<5}{amount:>8}{paid}" for who, amount, paid in rows)
open("paid.dbf", "wb").write(head + b"\r" + body.encode() + b"\x1a")
PY
python3 write.py
include=(-I usr/lib/ruby/3.1.0 -I "$(echo usr/lib/*-linux-gnu/ruby/3.1.0)" -I usr/lib/ruby/vendor_ruby)
for folder in usr/share/rubygems-integration/all/gems/*/lib; do include+=(-I "$folder"); done
seen="pgdbf $(usr/bin/pgdbf paid.dbf | grep -P '^\w+\t' | tr '\t' ':' | paste -sd ' ')
ruby $(usr/bin/ruby3.1 -W0 --disable-gems "${include[@]}" -e 'require "dbf"
  puts DBF::Table.new("paid.dbf").map { |row| row.to_a.map(&:inspect).join(":") }.join(" ")' 2>&1 || true)
dbfread $(python3 -c 'from dbfread import DBF
print(*[":".join(map(str, row.values())) for row in DBF("paid.dbf")])')"
wanted='pgdbf alice:5.00:t bob:7.00:f carol:9.00:f dave:\N:f
ruby "alice":5.0:true "bob":7.0:false "carol":9.0:false "dave":nil:false
dbfread alice:5.0:True bob:7.0:False carol:9.0:None dave:None:None'
[ "$seen" = "$wanted" ] || { printf 'They read\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: what is unknown in a dBASE file is false to pgdbf and ruby-dbf"
