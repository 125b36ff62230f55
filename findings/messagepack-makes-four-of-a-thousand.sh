#!/usr/bin/env bash
# Writers of MessagePack from npm: messagepack 1.1.12, notepack.io 3.0.1, what-the-pack 2.0.3 and @ygoe/msgpack 1.0.3.
# @msgpack/msgpack 3.1.3 and msgpack-lite 0.1.26 beside them.
# Expected: a JavaScript number is written so that it is read again as itself. Whole ones have up to 64 bits in
# MessagePack, and each other number is a float of 64 bits, which every JavaScript number is.
# Really: each whole number is written as an integer of 64 bits, also one that has more. 1000 tokens of 18 decimals
# are 10^21 base units, which a JavaScript number is exactly. The first three keep the lowest 64 bits, and it is 3.88
# tokens; -10 tokens are 8.45. The last one makes 18.45 tokens of more, -9.22 of less, and -3.45 of 15. Any program
# reads them so. The two beside them are right, and so are all from -9 to 9 tokens. Nothing is said.
# What follows: a queue or a cache of amounts changes the large ones, and their signs, and a test of small ones
# passes. Give them texts, as all amounts of this service are.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts messagepack@1.1.12 notepack.io@3.0.1 \
  what-the-pack@2.0.3 @ygoe/msgpack@1.0.3 @msgpack/msgpack@3.1.3 msgpack-lite@0.1.26 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const reference = require("@msgpack/msgpack");
const whatThePack = require("what-the-pack").initialize(65_536);
const writers = {
  messagepack: require("messagepack"),
  "notepack.io": require("notepack.io"),
  "what-the-pack": whatThePack,
  "@ygoe/msgpack": require("@ygoe/msgpack"),
  "msgpack-lite": require("msgpack-lite"),
  "@msgpack/msgpack": reference,
};
const tokens = (units) => (units / 1e18).toFixed(2);
for (const [name, { encode, decode }] of Object.entries(writers)) {
  const seen = [7, 15, 20, 1000, -10].map((amount) => {
    const bytes = Buffer.from(encode(amount * 1e18));
    const [own, other] = [decode(bytes), reference.decode(bytes)].map(tokens);
    return `${amount}=${own}${own === other ? "" : ` or ${other}`}`;
  });
  console.log(`${name}:`, ...seen);
}
JS
seen=$(cd "$dir" && node write.cjs)
wanted='messagepack: 7=7.00 15=15.00 20=1.55 1000=3.88 -10=8.45
notepack.io: 7=7.00 15=15.00 20=1.55 1000=3.88 -10=8.45
what-the-pack: 7=7.00 15=15.00 20=1.55 1000=3.88 -10=8.45
@ygoe/msgpack: 7=7.00 15=-3.45 20=18.45 1000=18.45 -10=-9.22
msgpack-lite: 7=7.00 15=15.00 20=20.00 1000=1000.00 -10=-10.00
@msgpack/msgpack: 7=7.00 15=15.00 20=20.00 1000=1000.00 -10=-10.00'
[ "$seen" = "$wanted" ] || { printf 'The tokens were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: four writers of MessagePack make 3.88 or 18.45 tokens of 1000"
