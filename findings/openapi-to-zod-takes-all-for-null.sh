#!/usr/bin/env bash
# @cerios/openapi-to-zod 1.7.0 with zod 4.6.7 from npm, which makes schemas from an OpenAPI 3.1 document.
# Expected: oneOf and anyOf of a text and null mean what a list of both types does: a text of at least three
# characters, or null.
# Really: {"type": "null"} alone is made `z.unknown()`, and a union with it takes everything: numbers,
# objects, and texts that are too short. A list of types is right. The generator says nothing.
# What follows: a generated check of answers or of input checks nothing there. The served document has null as
# a second type.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @cerios/openapi-to-zod@1.7.0 \
  zod@4.6.7 esbuild@0.25.12 >/dev/null
cat >api.json <<'JSON'
{ "openapi": "3.1.0", "info": { "title": "Orders", "version": "1" }, "paths": {}, "components": { "schemas": {
  "types": { "type": ["string", "null"], "minLength": 3 },
  "anyOf": { "anyOf": [{ "type": "string", "minLength": 3 }, { "type": "null" }] },
  "oneOf": { "oneOf": [{ "type": "string", "minLength": 3 }, { "type": "null" }] } } } }
JSON
echo '{ "specs": [{ "input": "api.json", "outputTypes": "made.ts" }] }' >openapi-to-zod.config.json
node_modules/.bin/openapi-to-zod >/dev/null
echo 'export * from "./made";' >index.ts
node_modules/.bin/esbuild index.ts --bundle --platform=node --outfile=made.cjs --log-level=error
cat >check.cjs <<'JS'
for (const [name, schema] of Object.entries(require("./made.cjs")))
  console.log(name, ...["abc", null, "a", 1, {}].map((value) => schema.safeParse(value).success));
JS
seen=$(node check.cjs)
wanted='anyOfSchema true true true true true
oneOfSchema true true true true true
typesSchema true true false false false'
[ "$seen" = "$wanted" ] || { printf 'Taken were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: openapi-to-zod takes everything for a text or null, if null is in anyOf or oneOf"
