#!/usr/bin/env bash
# openapi-format 1.33.6 from npm, its option --convertTo 3.1.
# Expected: the 3.1 document takes the same values as the 3.0 one. `nullable: true` beside an allOf with one $ref, which
# is how 3.0 makes a reference nullable, takes null in 3.1 too. What is named like a keyword stays what it is.
# Really: of that allOf only the $ref is left, so null is refused from then on. A list of types is right, and so is
# nullable beside oneOf. A property with the name "nullable" is taken out of `properties` and of examples, though
# `required` still names it. Nothing is said, and the result is valid.
# What follows: clients made of the 3.1 document refuse answers that were right. The served document is written as 3.1,
# with null as a second type.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts openapi-format@1.33.6 >/dev/null
cd "$dir"
cat >old.json <<'JSON'
{"openapi": "3.0.3", "info": {"title": "Payouts", "version": "1"}, "paths": {}, "components": {"schemas": {
  "Amount": {"type": "string", "pattern": "^[0-9]+$"},
  "Text": {"type": "string", "nullable": true, "minLength": 3},
  "Paid": {"nullable": true, "allOf": [{"$ref": "#/components/schemas/Amount"}]},
  "Kept": {"nullable": true, "oneOf": [{"$ref": "#/components/schemas/Amount"}]},
  "Column": {"type": "object", "required": ["name", "nullable"],
    "properties": {"name": {"type": "string"}, "nullable": {"type": "boolean"}},
    "example": {"name": "amount", "nullable": true}}}}}
JSON
node_modules/.bin/openapi-format old.json --convertTo 3.1 --no-sort -o new.json >/dev/null 2>&1
seen=$(node -e '
const { openapi, components } = JSON.parse(require("fs").readFileSync("new.json", "utf8"));
console.log(openapi);
for (const [name, schema] of Object.entries(components.schemas)) console.log(name, JSON.stringify(schema));')
wanted='3.1.0
Amount {"type":"string","pattern":"^[0-9]+$"}
Text {"type":["string","null"],"minLength":3}
Paid {"allOf":[{"$ref":"#/components/schemas/Amount"}]}
Kept {"oneOf":[{"$ref":"#/components/schemas/Amount"},{"type":"null"}]}
Column {"type":"object","required":["name","nullable"],"properties":{"name":{"type":"string"}},"examples":[{"name":"amount"}]}'
[ "$seen" = "$wanted" ] || { printf 'The document was\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: openapi-format takes null from references, and properties named nullable from objects"
