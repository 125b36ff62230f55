#!/usr/bin/env bash
# @jclem/logfmt2 2.4.3 from npm, which reads and writes lines of logfmt. logfmt 1.4.0, which it is based on, beside it.
# Expected: as in logfmt, "based on the original" as its documentation says, a key without a value is true, and the keys
# behind it are read as they are: of "level=info held points=5 to=alice", points are 5, and alice is who got them.
# Really: such a key takes the next key for its value, and then names and values change places: held is "points", there
# is a key 5 whose value is "to", and alice is nowhere. At the end of a line, it is left out, and so is a value that is
# empty there, as encode writes null. Nothing is said. Lines in which each key has a value are right.
# What follows: a filter for points=5, or to=alice, does not find such lines, and a sum over points leaves them out.
# Write held=true. No code of ours is concerned: who turns the logs of programs beside it into records meets it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @jclem/logfmt2@2.4.3 logfmt@1.4.0 >/dev/null
cat >read.cjs <<'JS'
const { decode, encode } = require("@jclem/logfmt2");
const logfmt = require("logfmt");

const held = ["level=info held points=5 to=alice", "level=info points=5 to=alice held"];
for (const line of ["level=info points=5 to=alice", ...held, encode({ to: "alice", note: null })])
  console.log(`${line}\n  ${JSON.stringify(decode(line))}\n  ${JSON.stringify(logfmt.parse(line))}`);
JS
seen=$(node read.cjs)
wanted='level=info points=5 to=alice
  {"level":"info","points":"5","to":"alice"}
  {"level":"info","points":"5","to":"alice"}
level=info held points=5 to=alice
  {"5":"to","level":"info","held":"points"}
  {"level":"info","held":true,"points":"5","to":"alice"}
level=info points=5 to=alice held
  {"level":"info","points":"5","to":"alice"}
  {"level":"info","points":"5","to":"alice","held":true}
to=alice note=
  {"to":"alice"}
  {"to":"alice","note":null}'
[ "$seen" = "$wanted" ] || { printf 'The lines were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: logfmt2 takes the key behind one without a value for its value"
