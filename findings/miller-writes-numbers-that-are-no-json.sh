#!/usr/bin/env bash
# Miller 6.6.0 (Debian 12), from CSV to JSON, read by Node's JSON.parse.
# Expected: JSON that any reader takes: 0.5 or ".5" for .5, and a text for 0x5f3a, as JSON has no hexadecimal.
# Really: what Miller takes for a number is written as the CSV has it, and it takes more for numbers than JSON
# does: .5, 5., 0x5f3a and 0b11. JSON.parse refuses the file. 007, +5, 1_000 and Inf become texts, and so does
# hexadecimal beyond 64 bits: of two addresses, only one that begins with 24 zeros is bare.
# What follows: lists convert until there is an amount of .5, or an ID such as 0x5f3a. --jvquoteall makes a
# text of each cell. Our reader says in which line a list is no JSON.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download miller=6.6.0-2+b3 2>/dev/null
dpkg-deb -x miller_*.deb .
cat >read.cjs <<'JS'
const { execFileSync } = require("node:child_process");
const cells = ["0.5", "5", "1e5", "007", "+5", "1_000", "Inf", ".5", "5.", "0x5f3a", "0b11"];
for (const cell of [...cells, `0x1${"0".repeat(39)}`, `0x${"1".padStart(40, "0")}`]) {
  const written = [[], ["--jvquoteall"]].map((options) => {
    const args = ["--icsv", "--ojson", ...options, "cat"];
    return execFileSync("usr/bin/mlr", args, { encoding: "utf8", input: `x\n${cell}\n` });
  });
  const isJson = written.map((text) => {
    try {
      return JSON.parse(text).length === 1;
    } catch {
      return false;
    }
  });
  console.log(written[0].match(/"x": (.*)/)[1], ...isJson);
}
JS
seen=$(node read.cjs)
wanted='0.5 true true
5 true true
1e5 true true
"007" true true
"+5" true true
"1_000" true true
"Inf" true true
.5 false true
5. false true
0x5f3a false true
0b11 false true
"0x1000000000000000000000000000000000000000" true true
0x0000000000000000000000000000000000000001 false true'
[ "$seen" = "$wanted" ] || { printf 'The numbers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: Miller writes .5 and 0x5f3a into JSON as numbers, which JSON does not have"
