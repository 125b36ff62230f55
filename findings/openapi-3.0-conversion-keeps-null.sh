#!/usr/bin/env bash
# Tool: @apiture/openapi-down-convert 0.14.2, which turns OpenAPI 3.1 into 3.0.3.
# Expected: `anyOf: [string, null]` and `type: [string, null]` mean the same, and both become `nullable: true`; `const` becomes
#   an enum of one value.
# Behaviour: only a list of types becomes `nullable`. In `anyOf`, `{"type": "null"}` stays, which is no type in 3.0, so the result
#   is invalid; the converter says nothing and exits 0. `const: true` becomes `enum: [true]`, but `const: false` stays.
# Follows: the served document has null as a second type, and `enum: [false]`.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" \
  @apiture/openapi-down-convert@0.14.2 @seriousme/openapi-schema-validator@2.11.0 >/dev/null 2>&1

# Prints how a schema looks in 3.0.3, and whether that document is valid.
convert() {
  echo '{ "openapi": "3.1.0", "info": { "title": "T", "version": "1" }, "paths": {},' \
    "\"components\": { \"schemas\": { \"T\": $1 } } }" > in.json
  node_modules/.bin/openapi-down-convert --input in.json --output out.json
  node -e 'import("@seriousme/openapi-schema-validator").then(async ({ Validator }) => {
    const made = JSON.parse(require("node:fs").readFileSync("out.json", "utf8"));
    const schema = JSON.stringify(made.components.schemas.T);
    const { valid } = await new Validator().validate(made);
    console.log(made.openapi, schema, valid ? "valid" : "invalid");
  })'
}
found="$(convert '{ "anyOf": [{ "type": "string" }, { "type": "null" }] }')
$(convert '{ "type": ["string", "null"] }')
$(convert '{ "type": "boolean", "const": true }')
$(convert '{ "type": "boolean", "const": false }')"
expected='3.0.3 {"anyOf":[{"type":"string"},{"type":"null"}]} invalid
3.0.3 {"type":"string","nullable":true} valid
3.0.3 {"type":"boolean","enum":[true]} valid
3.0.3 {"type":"boolean","const":false} invalid'
if [ "$found" != "$expected" ]; then
  diff <(echo "$expected") <(echo "$found") || true
  exit 1
fi
echo "ok: the conversion to OpenAPI 3.0 keeps null in anyOf and a const that is false"
