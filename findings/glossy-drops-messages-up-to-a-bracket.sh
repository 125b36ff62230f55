#!/usr/bin/env bash
# glossy 0.1.7 from npm, which writes and reads syslog.
# Expected: by RFC 5424, which its documentation names, the structured data of a line ends with the bracket of its last
# element, and all behind it is the message, which may have each sign. What it writes, it reads.
# Really: where a line has structured data, it takes all up to the last word that ends with ] for it. "took back [batch
# 7] from bob" is the message "from bob", and there is an element named batch. Of "5 points for bob [retry]" nothing is
# left, not even an element. Lines that it wrote itself are read so, too. Without structured data, or without a bracket
# at the end of a word, messages are whole. Nothing is said, but originalMessage has the line.
# What follows: an audit log that was shipped as syslog says who did something and not what, for lines such as these,
# and a rule that looks for "took back" does not find them. Read originalMessage. The audit log here is read from the
# database (docs/operations.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts glossy@0.1.7 >/dev/null
cat >read.cjs <<'JS'
const { Parse, Produce } = require("glossy");

const head = "<134>1 2026-11-30T12:00:00Z host points 1 -";
const data = '[audit@1 actor="ann"]';
const own = new Produce().produce({
  facility: "local0",
  severity: "info",
  host: "host",
  date: new Date("2026-11-30T12:00:00Z"),
  structuredData: { "audit@1": { actor: "ann" } },
  message: "took back [batch 7] from bob",
});
const lines = {
  plain: `${head} ${data} took back batch 7 from bob`,
  bracket: `${head} ${data} took back [batch 7] from bob`,
  end: `${head} ${data} 5 points for bob [retry]`,
  inside: `${head} ${data} paid [7], and then more`,
  "no data": `${head} - took back [batch 7] from bob`,
  own,
};
for (const [name, line] of Object.entries(lines)) {
  const { message, structuredData } = Parse.parse(line);
  console.log(`${name}: "${message}" ${JSON.stringify(structuredData)}`);
}
JS
seen=$(node read.cjs)
wanted='plain: "took back batch 7 from bob" {"audit@1":{"actor":"ann"}}
bracket: "from bob" {"audit@1":{"actor":"ann"},"batch":{}}
end: "" {"audit@1":{"actor":"ann"}}
inside: "paid [7], and then more" {"audit@1":{"actor":"ann"}}
no data: "took back [batch 7] from bob" undefined
own: "from bob" {"audit@1":{"actor":"ann"},"batch":{}}'
[ "$seen" = "$wanted" ] || { printf 'The messages were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to glossy, the message \"took back [batch 7] from bob\" is \"from bob\""
