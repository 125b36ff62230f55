#!/usr/bin/env bash
# @openzeppelin/merkle-tree 1.0.7 and 1.0.8 from npm, StandardMerkleTree.of.
# Expected: a patch release refuses the same values, and no tree is made of an amount that is missing or was
# rounded.
# Really: 1.0.8 encodes with another library. 1.0.7 refuses an empty amount, a number above 2^53 and an
# address with a wrong checksum. 1.0.8 makes a tree of each: of 0, of the number as JavaScript rounded it,
# and of the address without its checksum.
# What follows: files have amounts as decimal texts and addresses in EIP-55, and `point-batches claims
# check` refuses others.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  older@npm:@openzeppelin/merkle-tree@1.0.7 newer@npm:@openzeppelin/merkle-tree@1.0.8 >/dev/null
cat >"$dir/make.cjs" <<'JS'
const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const wrong = "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
for (const version of ["older", "newer"]) {
  const { StandardMerkleTree } = require(version);
  const root = (...claim) => StandardMerkleTree.of([claim], ["address", "uint256"]).root;
  const like = (given, other) => {
    try {
      return root(...given) === root(...other) ? "taken" : "other";
    } catch {
      return "refused";
    }
  };
  console.log(version,
    like([address, ""], [address, "0"]),
    like([address, 9007199254740993], [address, "9007199254740992"]),
    like([wrong, "1"], [address, "1"]));
}
JS
seen=$(node "$dir/make.cjs")
wanted='older refused refused refused
newer taken taken taken'
[ "$seen" = "$wanted" ] || { printf 'The trees were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: merkle-tree 1.0.8 takes empty amounts, rounded numbers and wrong checksums, which 1.0.7 refuses"
