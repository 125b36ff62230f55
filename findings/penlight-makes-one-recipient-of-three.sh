#!/usr/bin/env bash
# Penlight 1.13.1 for Lua 5.4 (Debian 12: lua-penlight), pl.data, which reads and writes CSV. jo 1.9 (Debian 12), which
# writes JSON in shells, is beside it.
# Expected: an address such as 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed stays a text, since no number of Lua has 40
# digits, or reading fails. Its documentation says that columns of numbers are converted, and shows decimal ones.
# Really: whole hexadecimal numbers of any length are read, and of those beyond 64 bits, the last 16 digits are kept,
# as a number with a sign. So all addresses that end alike are one, and write puts 7391592158687128301 into the new
# file. References become numbers, too: 0017 and 17 are one, and 1e5 is 100000.0. Two quotes in a cell, as CSV has
# them, are taken apart: "say ""hi""" is say hi"". Nothing is said. With no_convert, and with a name such as alice.eth
# in the first row, columns stay texts. jo makes 5.177053552602076e+47 of the address, by strtod(3), as its
# documentation says.
# What follows: a list of recipients that was sorted or filtered has none any more, and 12 of the 20 bytes of each are
# lost for good. Read it with no_convert, and give jo such values after -s. Our reader refuses numbers as recipients,
# and the API's addresses are texts.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download lua-penlight=1.13.1-3 lua5.4 lua-filesystem jo=1.9-1 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LUA_PATH="$dir/usr/share/lua/5.4/?.lua"
LUA_CPATH="$(echo "$dir"/usr/lib/*-linux-gnu)/lua/5.4/?.so"
export LUA_PATH LUA_CPATH
cat >list.csv <<'CSV'
to,points,reference,note
0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,10.10,0017,"say ""hi"""
0x000000000000000000000000669435E7Ef1BeAed,2.25,17,""
0x111111111111111111111111669435E7Ef1BeAed,5,1e5,x
0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359,1,1,y
CSV
cat >copy.lua <<'LUA'
local data = require "pl.data"
data.read("list.csv", { csv = true }):write("copy.csv")
data.read("list.csv", { csv = true, no_convert = true }):write("texts.csv")
LUA
usr/bin/lua5.4 copy.lua
address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
seen="$(cat copy.csv)
$(sed -n 2p texts.csv)
$(usr/bin/jo to=$address -- -s text=$address)"
wanted='to,points,reference,note
7391592158687128301,10.1,17,say hi""
7391592158687128301,2.25,17,""
7391592158687128301,5,100000.0,x
-3585244307545271463,1,1,y
0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,10.10,0017,say hi""
{"to":5.177053552602076e+47,"text":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}'
[ "$seen" = "$wanted" ] || { printf 'They wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: Penlight writes two addresses that end alike as one number"
