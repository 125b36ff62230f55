#!/usr/bin/env bash
# Differences of JSON from npm that are applied to it: changeset 0.2.6, @scalar/json-diff 0.0.4 and json-diff-ts 4.10.4.
# fast-json-patch 3.1.1 (RFC 6902) beside them.
# Expected: the difference of two lists, applied to the first one, makes the second one, and json-diff-ts' "revert"
# makes the first one of the second. Their documentation shows lists with one entry more or less.
# Really: all name an entry by its place in the list as it was. changeset and @scalar/json-diff take these places away
# from the first one on, while all behind move up. Where two or more were removed, others are: of four, of whom the last
# two were removed, Dave stays, and where the first two were, Dave is there twice. json-diff-ts applies removals from the
# last one on, which is right, and takes additions back from the first one on: of two that were added, one stays. One
# entry more or less is right, so a test with one shows nothing. Nothing is said.
# What follows: a list that is made again of its first version and its changes pays who was taken off it, or somebody
# twice. Keep whole lists, as the transfers of batches are kept here (docs/operations.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts changeset@0.2.6 @scalar/json-diff@0.0.4 \
  json-diff-ts@4.10.4 fast-json-patch@3.1.1 >/dev/null
cat >"$dir/patch.mjs" <<'JS'
import { apply, diff as diffOfScalar } from "@scalar/json-diff";
import changeset from "changeset";
import jsonPatch from "fast-json-patch";
import { applyChangeset, diff, revertChangeset } from "json-diff-ts";

const makers = {
  changeset: (a, b) => changeset.apply(changeset(a, b), a),
  scalar: (a, b) => apply(a, diffOfScalar(a, b)),
  "json-diff-ts": (a, b) => applyChangeset(a, diff(a, b)),
  "json-diff-ts, revert": (a, b) => revertChangeset(a, diff(b, a)),
  "fast-json-patch": (a, b) => jsonPatch.applyPatch(a, jsonPatch.compare(a, b)).newDocument,
};
const toList = (names) => ({ rows: names.split(" ").map((to) => ({ to, points: `${to.length}.50` })) });
const ALL = "Alice Bob Carol Dave";
for (const [name, make] of Object.entries(makers)) {
  const made = ["Alice Bob", "Carol Dave", "Alice Bob Carol"].map((wanted) =>
    make(toList(ALL), toList(wanted)).rows.map(({ to }) => to).join(" "));
  console.log(`${name}: ${made.join(", ")}`);
}
JS
seen=$(cd "$dir" && node patch.mjs)
wanted='changeset: Alice Bob Dave, Carol Dave Dave, Alice Bob Carol
scalar: Alice Bob Dave, Carol Dave Dave, Alice Bob Carol
json-diff-ts: Alice Bob, Carol Dave, Alice Bob Carol
json-diff-ts, revert: Alice Bob Dave, Carol Dave Dave, Alice Bob Carol
fast-json-patch: Alice Bob, Carol Dave, Alice Bob Carol'
[ "$seen" = "$wanted" ] || { printf 'The lists were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: of two recipients who were removed from a list, patches of three libraries leave one, or double another"
