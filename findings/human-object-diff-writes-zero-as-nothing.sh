#!/usr/bin/env bash
# human-object-diff 3.0.0 from npm, sentences on what was changed, as audit logs show them.
# Expected: as its documentation says, the sentence has the value as it was and as it is now, for OLDVALUE and NEWVALUE.
# Really: 0, false and null are each written as the empty text. A limit of 100 that became 0 and one that was lifted
# with null have the same sentence, and of a limit that was none and became 0, it says that "" was changed to "". Other
# numbers, true, and the texts "0" and "100" are right, so a change of 100 to 200 shows nothing.
# What follows: such a log does not show whether somebody may be paid nothing more, or everything. Give it texts. The
# audit log here writes 0, and leaves out what is none (app/(console)/access/audit/action-text.ts).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts human-object-diff@3.0.0 >/dev/null
cat >"$dir/sentences.cjs" <<'JS'
const HumanDiff = require("human-object-diff");
const { diff } = new HumanDiff();
const changes = [[100, 200], [100, 0], [100, null], [null, 0], [false, null], [true, false], ["100", "0"]];
for (const [from, to] of changes) {
  const [sentence] = diff({ limit: from }, { limit: to });
  console.log(`${JSON.stringify(from)} to ${JSON.stringify(to)}: ${sentence.replace(" (at Obj.limit)", "")}`);
}
JS
seen=$(cd "$dir" && node sentences.cjs)
wanted='100 to 200: "Limit", with a value of "100" was changed to "200"
100 to 0: "Limit", with a value of "100" was changed to ""
100 to null: "Limit", with a value of "100" was changed to ""
null to 0: "Limit", with a value of "" was changed to ""
false to null: "Limit", with a value of "" was changed to ""
true to false: "Limit", with a value of "true" was changed to ""
"100" to "0": "Limit", with a value of "100" was changed to "0"'
[ "$seen" = "$wanted" ] || { printf 'The sentences were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: human-object-diff says the same of a limit that became 0 and of one that was lifted"
