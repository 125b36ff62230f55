#!/usr/bin/env bash
# Tools: tsp-openapi3 of @typespec/openapi3 1.11.0, and the compiler 1.11.0.
# Expected: TypeSpec that is imported from a valid OpenAPI 3.1 document compiles.
# Behaviour: the import writes `@maxLength` on `utcDateTime` for `format: date-time`, and on a union of
#   literals for an `enum`; the compiler refuses both, as they are no strings to it. `license.identifier`,
#   which 3.1 has, is refused as an extension whose name must start with `x-`. The import itself says
#   nothing.
# Follows: the served document has no length beside a format or an enum, where it says nothing new, and a
#   license with a URL instead.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" \
  @typespec/openapi3@1.11.0 @typespec/compiler@1.11.0 @typespec/http@1.11.0 @typespec/openapi@1.11.0 >/dev/null 2>&1

# Prints the codes of the compiler's errors for a license and a schema.
compile() {
  echo "{ \"openapi\": \"3.1.0\", \"info\": { \"title\": \"T\", \"version\": \"1\", \"license\": $1 }, \"paths\": {}," \
    "\"components\": { \"schemas\": { \"T\": { \"type\": \"object\", \"properties\": { \"one\": $2 } } } } }" > api.json
  rm -rf made
  node_modules/.bin/tsp-openapi3 api.json --output-dir made >/dev/null
  { node_modules/.bin/tsp compile made/main.tsp --no-emit 2>&1 || true; } |
    grep -oE 'error [@a-z][a-z0-9/@-]+' | sort | tr '\n' ';'
}
name='{ "name": "MIT" }'
plain='{ "type": "string", "maxLength": 24 }'
found="plain: $(compile "$name" "$plain")
date-time: $(compile "$name" '{ "type": "string", "format": "date-time" }')
date-time with a length: $(compile "$name" '{ "type": "string", "format": "date-time", "maxLength": 24 }')
enum with a length: $(compile "$name" '{ "type": "string", "enum": ["a", "b"], "maxLength": 8 }')
identifier: $(compile '{ "name": "MIT", "identifier": "MIT" }' "$plain")"
expected='plain: 
date-time: 
date-time with a length: error decorator-wrong-target;
enum with a length: error decorator-wrong-target;
identifier: error @typespec/openapi/invalid-extension-key;'
if [ "$found" != "$expected" ]; then
  diff <(echo "$expected") <(echo "$found") || true
  exit 1
fi
echo "ok: TypeSpec imports a length beside a format or an enum, and a license's identifier, and then refuses them"
