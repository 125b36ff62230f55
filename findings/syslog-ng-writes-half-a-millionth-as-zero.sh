#!/usr/bin/env bash
# syslog-ng 3.38.1 (Debian 12: syslog-ng-core), which ships logs, with its json-parser and its template format-json.
# Expected: a value of a log line in JSON becomes a name and a value with the digits that it has there, as syslog-ng
# keeps values as texts: its documentation says that the parser "parses a log entry in JSON format" into name-value
# pairs.
# Really: a number with a point or an exponent gets six decimals, as C's %f has them: 0.0000005 is 0.000000, and 1.5 is
# 1.500000. A whole number gets 64 bits, and what is beyond them is the greatest or the smallest of these: 10 tokens of
# 18 decimals, and any more, are 9223372036854775807. Nothing is said. Whole numbers up to 9.22 such tokens, and texts,
# are right.
# What follows: a sum over shipped logs is too small, and an alert on a payment of more than 1000 tokens never comes, as
# none has more than 9.22. Log amounts as texts. Logs here are JSON lines as well (docs/operations.md), and amounts are
# texts in all interfaces.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download syslog-ng-core=3.38.1-5+deb12u1 libivykis0 libjson-c5 libnet1 libpcre3 libwrap0 libcap2 \
  libglib2.0-0 libssl3 libsystemd0 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
cat >ship.conf <<CONF
@version: 3.38
source from { stdin(flags(no-parse)); };
parser read { json-parser(prefix("log.")); };
destination to { file("$dir/shipped" template("\$(format-json --key log.* --rekey log.* --shift-levels 1)\n")); };
log { source(from); parser(read); destination(to); };
CONF
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$dir/usr/lib/syslog-ng:$(echo "$dir"/usr/lib/*-linux-gnu):$(echo "$dir"/lib/*-linux-gnu)
{
  for points in 100 1.5 0.0000005 12345678.123456789 9000000000000000000 10000000000000000000 \
    -10000000000000000000 '"0.0000005"' '"10000000000000000000"'; do
    echo "{\"points\":$points}"
  done
  sleep 1
} | timeout 30 usr/sbin/syslog-ng -F --no-caps -f ship.conf -R "$dir/kept" -p "$dir/pid" -c "$dir/control" \
  --module-path "$dir/usr/lib/syslog-ng/3.38" 2>log || { cat log; exit 1; }
seen=$(cat shipped)
wanted='{"points":"100"}
{"points":"1.500000"}
{"points":"0.000000"}
{"points":"12345678.123457"}
{"points":"9000000000000000000"}
{"points":"9223372036854775807"}
{"points":"-9223372036854775808"}
{"points":"0.0000005"}
{"points":"10000000000000000000"}'
[ "$seen" = "$wanted" ] || { printf 'The logs were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: syslog-ng's json-parser reads 0.0000005 as 0.000000, and 10^19 as 9223372036854775807"
