#!/usr/bin/env bash
# hash-anything 1.3.3 from npm, sha256 of a list of transfers. json-hash 1.2.0 beside it.
# Expected: as its documentation says, "hash (almost) any Javascript primitive or object". So two lists whose amounts
# differ have two hashes, as they have in json-hash.
# Really: of a whole number, the lower 32 bits are hashed, twice, and those above are lost. 5000000000 has the hash of
# 705032704, and -1 that of 4294967295. So have two moments that are 2^32 milliseconds apart, 49 days and 17 hours.
# Smaller whole numbers, numbers with decimals, and texts have hashes of their own, so a test with small amounts shows
# nothing.
# What follows: 5000 tokens of 6 decimals have the hash of 705.032704, so that one list is approved and another one is
# paid, and a cache gives out what was asked 49 days ago. Give it texts. Digests of this service are made of texts.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts hash-anything@1.3.3 json-hash@1.2.0 >/dev/null
cat >"$dir/hash.cjs" <<'JS'
const { sha256 } = require("hash-anything");
const { digest } = require("json-hash");
const moment = (text) => new Date(text);
const pairs = [[5000000000, 705032704], [-1, 4294967295], [4294967295, 4294967294], [0.5, 0.25],
  ["5000000000", "705032704"], [moment("2026-01-01T00:00:00Z"), moment("2026-02-19T17:02:47.296Z")]];
for (const [one, other] of pairs) {
  const [a, b] = [one, other].map((points) => [{ to: "Alice", points }]);
  const say = (hash) => (hash(a) === hash(b) ? "one hash" : "two hashes");
  console.log(`${JSON.stringify(one)} and ${JSON.stringify(other)}: ${say(sha256)}, ${say((value) => digest(value))}`);
}
JS
seen=$(cd "$dir" && node hash.cjs)
wanted='5000000000 and 705032704: one hash, two hashes
-1 and 4294967295: one hash, two hashes
4294967295 and 4294967294: two hashes, two hashes
0.5 and 0.25: two hashes, two hashes
"5000000000" and "705032704": two hashes, two hashes
"2026-01-01T00:00:00.000Z" and "2026-02-19T17:02:47.296Z": one hash, two hashes'
[ "$seen" = "$wanted" ] || { printf 'There were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to hash-anything, 5000000000 points have the hash of 705032704"
