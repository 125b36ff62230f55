#!/usr/bin/env bash
# JSON-GLib 1.6.6 (Debian 12: json-glib-tools), json-glib-format and json-glib-validate.
# Expected: as its documentation says, json-glib-format is "a simple command line interface to format JSON data", so
# that spaces change, and values do not. JSON has whole numbers of any length, so 10 ether, 10^19 wei, stay that, or
# are refused, as jshon does it.
# Really: whole numbers get 64 bits with a sign, and what is beyond them is another number. 10^19 is
# -8446744073709551616, from 18446744073709551615 on all of them are -1, and -10^19 is a positive number. Nothing is
# said, it exits with 0, and so does json-glib-validate. Up to 9223372036854775807, which are 9.22 ether, they are
# right, and so are texts.
# What follows: a list of allocations in base units that was made pretty to be read, or was put in order for a commit,
# has debts of those who get most, and all who get 18.4 tokens or more owe one wei. Write amounts as texts, as all
# interfaces of this service do.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download json-glib-tools=1.6.6-1 libjson-glib-1.0-0=1.6.6-1 libglib2.0-0 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH
numbers='[9223372036854775807,9223372036854775808,10000000000000000000,18446744073709551615,18446744073709551616,
  1000000000000000000000,-10000000000000000000,"10000000000000000000"]'
echo "$numbers" >wei.json
seen="$(usr/bin/json-glib-format wei.json | tr ',' '\n')
$(usr/bin/json-glib-validate wei.json)valid"
wanted='[9223372036854775807
-9223372036854775808
-8446744073709551616
-1
-1
-1
8446744073709551616
"10000000000000000000"]
valid'
[ "$seen" = "$wanted" ] || { printf 'It wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: json-glib-format writes 10 ether in wei as -8446744073709551616"
