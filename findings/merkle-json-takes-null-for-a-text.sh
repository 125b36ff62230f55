#!/usr/bin/env bash
# merkle-json 2.15.0 from npm, hash, and canonicalize 2.1.0 (RFC 8785) beside it.
# Expected: as its documentation says, "a unique hash code for any Javascript object": lists of transfers that
# differ have other hashes, also where they differ in types only.
# Really: a value is hashed as its text. A reference that is missing, null, has the hash of one that is the
# text "null", true that of "true", and 1.5 that of "1.5". [] has that of {}. Its own stringify writes them
# differently.
# What follows: a list whose hash was approved can be another list. This service's digests and roots are made
# of texts only.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts merkle-json@2.15.0 \
  canonicalize@2.1.0 >/dev/null
cat >"$dir/hash.mjs" <<'JS'
import canonicalize from "canonicalize";
import { MerkleJson } from "merkle-json";
const json = new MerkleJson();
const pairs = [[null, "null"], [true, "true"], [1.5, "1.5"], [[], {}], ["a", "b"], [[1, 2], [12]]];
for (const [one, other] of pairs) {
  const [first, second] = [one, other].map((reference) => ({ transfers: [{ points: "5", reference }] }));
  const isSame = (write) => write(first) === write(second);
  const ways = [(list) => json.hash(list), (list) => json.stringify(list), canonicalize];
  console.log(JSON.stringify(one), JSON.stringify(other), ...ways.map(isSame));
}
JS
seen=$(cd "$dir" && node hash.mjs)
wanted='null "null" true false false
true "true" true false false
1.5 "1.5" true false false
[] {} true false false
"a" "b" false false false
[1,2] [12] false false false'
[ "$seen" = "$wanted" ] || { printf 'The same were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: merkle-json has one hash for null and the text null, and one for [] and {}"
