#!/usr/bin/env bash
# Readers of JSON Schema at run time, from npm: @dmitryrechkin/json-schema-to-zod 1.0.1, @composio/json-schema-to-zod
# 0.3.0, @n8n/json-schema-to-zod 1.16.0 with zod 3.25.76, and djv 2.1.4. ajv 8.20.0 beside them.
# Expected: what a schema refuses is refused, and what it takes is taken. The first one's documentation begins with
# a minimum of 0.
# Really: to that one, -1 is not below this minimum. It does not look at patterns, lengths, enums of numbers, const or
# oneOf. It and composio's refuse each property that is not named, so composio's refuses each value by an allOf of two
# objects. n8n's and composio's refuse each value by a oneOf of what is required, such as an address or a name. djv
# takes the text "1" for the number 1 of an enum, and does not take false where it is the only value. Nothing is said
# when the schema is read.
# What follows: an agent's or a workflow's check takes an amount of -1 or "all", or refuses answers that were right,
# and each one that has a new property. This service checks all input itself.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @dmitryrechkin/json-schema-to-zod@1.0.1 \
  @composio/json-schema-to-zod@0.3.0 @n8n/json-schema-to-zod@1.16.0 zod@3.25.76 djv@2.1.4 ajv@8.20.0 >/dev/null
cat >"$dir/check.cjs" <<'JS'
const { jsonSchemaToZod: composio } = require("@composio/json-schema-to-zod");
const { JSONSchemaToZod } = require("@dmitryrechkin/json-schema-to-zod");
const { jsonSchemaToZod: n8n } = require("@n8n/json-schema-to-zod");
const { default: Ajv } = require("ajv");
const Djv = require("djv");
const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
const text = { type: "string" };
const oneOf = ["to", "name"].map((name) => ({ required: [name] }));
const either = { type: "object", properties: { to: text, name: text }, oneOf };
const cases = [
  [object({ points: { type: "number", minimum: 0 } }), { points: 5 }, { points: -1 }],
  [object({ points: { type: "string", pattern: "^[0-9]+$" } }), { points: "5" }, { points: "all" }],
  [object({ to: text }), { to: "alice", note: "new" }, { note: "new" }],
  [{ allOf: [object({ to: text }), object({ points: text })] }, { to: "alice", points: "5" }, { to: "alice" }],
  [either, { to: "alice" }, { to: "alice", name: "bob" }],
  [{ enum: [1, 2] }, 1, "1"],
  [{ const: false }, false, true],
];
const readers = {
  ajv: (schema) => new Ajv({ strict: false }).compile(schema),
  dmitryrechkin: (schema) => (value) => JSONSchemaToZod.convert(schema).safeParse(value).success,
  composio: (schema) => (value) => composio(schema).safeParse(value).success,
  n8n: (schema) => (value) => n8n(schema).safeParse(value).success,
  djv: (schema) => (value) => {
    const all = new Djv({ version: "draft-06" });
    all.addSchema("one", schema);
    return all.validate("one", value) === undefined;
  },
};
console.log(...Object.keys(readers));
for (const [schema, right, wrong] of cases) {
  const mark = (reader) => [right, wrong].map((value) => (reader(schema)(value) ? "+" : "-")).join("");
  console.log(JSON.stringify(right), JSON.stringify(wrong), ...Object.values(readers).map(mark));
}
JS
seen=$(cd "$dir" && node check.cjs)
wanted='ajv dmitryrechkin composio n8n djv
{"points":5} {"points":-1} +- ++ +- +- +-
{"points":"5"} {"points":"all"} +- ++ +- +- +-
{"to":"alice","note":"new"} {"note":"new"} +- -- -- +- +-
{"to":"alice","points":"5"} {"to":"alice"} +- +- -- +- +-
{"to":"alice"} {"to":"alice","name":"bob"} +- ++ -- -- +-
1 "1" +- ++ +- +- ++
false true +- ++ +- +- --'
[ "$seen" = "$wanted" ] || { printf 'Taken (+) and refused (-)\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: four readers of JSON Schema take what it refuses, or refuse what it takes"
