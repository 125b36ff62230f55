#!/usr/bin/env bash
# merkle-tools 1.4.1 from npm, trees of hashes as it makes them and as Bitcoin does.
# Expected: as its documentation says, addLeaf adds a leaf, getLeafCount is "the number of leaves that are currently
# added to the tree", and makeTree and makeBTCTree generate a tree "using the leaves that have been added". So each of
# them has one root for a list, whichever was made before.
# Really: where the number of leaves is odd, makeBTCTree adds the last one to the list once more, and it stays there.
# Of five leaves there are six then, and makeTree makes another root than before. A sixth leaf is the seventh, and its
# tree, which gets an eighth, has another root than that of the same six in a new object. Nothing is said. All proofs
# fit the root of their own tree, and even numbers of leaves are right, so a test with four shows nothing.
# What follows: a root that was made to compare it with Bitcoin's, or of a list that grows, is one of a list in which
# somebody is twice, and nobody who has the list finds it again. Make a new object for each tree. Roots here are made
# of a whole list at a time (docs/claims.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts merkle-tools@1.4.1 >/dev/null
cat >"$dir/make.cjs" <<'JS'
const MerkleTools = require("merkle-tools");

const list = ["Alice", "Bob", "Carol", "Dave", "Eve"];
const show = (name, tree) =>
  console.log(`${name}: ${tree.getLeafCount()} leaves, ${tree.getMerkleRoot().toString("hex").slice(0, 8)}`);
const make = (names, kind, tree = new MerkleTools()) => {
  tree.addLeaves(names, true);
  tree[kind]();
  return tree;
};
const tree = make(list, "makeTree");
show("makeTree of five", tree);
tree.makeBTCTree();
show("makeBTCTree of the same", tree);
tree.makeTree();
show("makeTree of the same", tree);
show("makeBTCTree with a sixth", make(["Frank"], "makeBTCTree", tree));
show("makeBTCTree of six", make([...list, "Frank"], "makeBTCTree"));
JS
seen=$(cd "$dir" && node make.cjs)
wanted='makeTree of five: 5 leaves, b28bb9f5
makeBTCTree of the same: 6 leaves, 424054f2
makeTree of the same: 6 leaves, f197b099
makeBTCTree with a sixth: 8 leaves, 79aba4d5
makeBTCTree of six: 6 leaves, 7b10eb54'
[ "$seen" = "$wanted" ] || { printf 'The trees were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: merkle-tools adds a leaf to a list of five, and its root is another one from then on"
