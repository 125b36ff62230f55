#!/usr/bin/env bash
# liblognorm 2.0.6 (Debian 12: liblognorm5 and liblognorm-utils), which reads fields out of lines of logs, as rsyslog's
# mmnormalize does with it. Node's JSON.parse reads what it writes.
# Expected: as its manual (liblognorm-doc 2.0.6) says, "format": "number" gives "a native json integer" of a number, which
# is "one or more decimal digits", and "a native json floating point number" of a float; by default both are texts. So an
# amount of wei has its digits in both, and each line of JSON is JSON. XML and CEE, which it writes as well, have the
# same values.
# Really: a number is one of 64 bits to it, and what is above turns over. 10 tokens of 18 decimals are a debt of 8.4, 20
# are 1.55, and 2^64 wei are 0. Nothing is said, and the line counts as read. A float is written as it is in the line,
# so that .5, 5. and 007.5, which it takes, are no JSON. In XML and CEE, each float is "***unsupported type***". Without
# "format" all are texts and right, and so are 5 tokens, so a test with small amounts shows nothing.
# What follows: an alert for large payouts that reads logs in this way sees debts and small ones. Leave "format" out.
# Who reads logs of a wallet or a node by rsyslog meets it; our own have no bodies or parameters (docs/security.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download liblognorm5=2.0.6-4 liblognorm-utils=2.0.6-4 libfastjson4=1.2304.0-1 libestr0=0.1.11-1 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
libraries=$(dirname "$(find usr/lib -name 'liblognorm.so.5' | head -1)")
cat >paid.rb <<'RB'
version=2
rule=:text %wei:number% %points:float%
rule=:paid %wei:number{"format":"number"}% %points:float{"format":"number"}%
RB
read_as() { echo "$2" | LD_LIBRARY_PATH=$libraries usr/bin/lognormalizer -r paid.rb -e "$1"; }
is_json() { node -e 'try { JSON.parse(process.argv[1]); console.log("JSON") } catch { console.log("no JSON") }' "$1"; }
seen=$(for line in 'text 20000000000000000000 .5' 'paid 5000000000000000000 0.5' 'paid 10000000000000000000 0.5' \
  'paid 20000000000000000000 0.5' 'paid 18446744073709551616 0.5' 'paid 1 .5' 'paid 1 5.' 'paid 1 007.5'; do
  json=$(read_as json "$line")
  echo "$json $(is_json "$json")"
done
read_as xml 'paid 1 0.5'
read_as cee-syslog 'paid 1 0.5')
wanted='{ "points": ".5", "wei": "20000000000000000000" } JSON
{ "points": 0.5, "wei": 5000000000000000000 } JSON
{ "points": 0.5, "wei": -8446744073709551616 } JSON
{ "points": 0.5, "wei": 1553255926290448384 } JSON
{ "points": 0.5, "wei": 0 } JSON
{ "points": .5, "wei": 1 } no JSON
{ "points": 5., "wei": 1 } no JSON
{ "points": 007.5, "wei": 1 } no JSON
<event><field name="points">***unsupported type***</field><field name="wei"><value>1</value></field></event>
[cee@115 points="***unsupported type***" wei="1"]'
[ "$seen" = "$wanted" ] || { printf 'Written was\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: liblognorm writes 10 tokens of wei as a debt, 20 as one and a half, and decimals in XML as unsupported"
