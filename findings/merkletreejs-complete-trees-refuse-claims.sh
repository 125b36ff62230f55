#!/usr/bin/env bash
# merkletreejs 0.6.0 and its copy, @thirdweb-dev/merkletree 0.2.6, with `complete: true`, and
# @openzeppelin/merkle-tree 1.0.8 (npm).
# Expected: getProof gives each leaf of a tree a proof that verify takes, with each option of the tree.
# `complete` is "recommended for use of multiProofs", and a warning says so to all who do without.
# Really: it pairs the nodes in another order, in which getProof does not know its way. Of 5 claims, 3 have a
# proof that verify refuses, of 6 they are 2, and of 9 they are 7. Of 2, 3, 4, 7 and 8 all are right, so a
# test with a few may show nothing. Without the option, and in OpenZeppelin's trees, which are complete as
# well, every proof is right.
# What follows: before a root is published, the proof of every claim is verified against it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts merkletreejs@0.6.0 \
  @thirdweb-dev/merkletree@0.2.6 @openzeppelin/merkle-tree@1.0.8 >/dev/null
cat >prove.cjs <<'JS'
const { createHash } = require("node:crypto");
const { SimpleMerkleTree } = require("@openzeppelin/merkle-tree");
const thirdweb = require("@thirdweb-dev/merkletree");
const merkletreejs = require("merkletreejs");

const hash = (bytes) => createHash("sha256").update(bytes).digest();
for (let size = 2; size <= 9; size++) {
  const leaves = Array.from({ length: size }, (_, at) => hash(`claim ${at}`));
  const refusedOf = (tree, verify) => leaves.filter((leaf) => !verify(tree.getProof(leaf), leaf)).length;
  const counts = [
    [merkletreejs, { complete: true, sort: true }],
    [thirdweb, { complete: true, sort: true }],
    [merkletreejs, { sort: true }],
  ].map(([{ MerkleTree }, options]) => {
    const tree = new MerkleTree(leaves, hash, options);
    return refusedOf(tree, (proof, leaf) => tree.verify(proof, leaf, tree.getRoot()));
  });
  const other = SimpleMerkleTree.of(leaves);
  const verify = (proof, leaf) => SimpleMerkleTree.verify(other.root, leaf, proof);
  console.log(size, ...counts, refusedOf(other, verify));
}
JS
seen=$(node prove.cjs)
wanted='2 0 0 0 0
3 0 0 0 0
4 0 0 0 0
5 3 3 0 0
6 2 2 0 0
7 0 0 0 0
8 0 0 0 0
9 7 7 0 0'
[ "$seen" = "$wanted" ] || { printf 'Refused proofs\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: complete trees of merkletreejs refuse their own proofs of 3 claims of 5 and 7 of 9"
