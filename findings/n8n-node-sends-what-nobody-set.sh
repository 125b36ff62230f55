#!/usr/bin/env bash
# Tool: @devlikeapro/n8n-openapi-node 0.1.4, which makes the properties of an n8n node from an OpenAPI
#   document.
# Expected: an optional parameter without a default is left out of a request until somebody sets it.
# Behaviour: each becomes a property that n8n sends with a value that the package invents: `true` for a
#   boolean, 0 for an integer (also where `minimum` is 1), and an empty text. With a `default` in the
#   schema, it is that.
# Follows: `dryRun` has `default: false`; without it, a node that somebody made to pay never paid. An empty
#   parameter is refused by its name, so `cursor` and the others that a node should not send must be removed
#   from it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" @devlikeapro/n8n-openapi-node@0.1.4 >/dev/null 2>&1
cat > api.json <<'JSON'
{ "openapi": "3.1.0", "info": { "title": "Orders", "version": "1" }, "paths": { "/orders": {
  "get": { "operationId": "list-orders", "tags": ["Orders"], "responses": { "200": { "description": "ok" } }, "parameters": [
    { "name": "preview", "in": "query", "schema": { "type": "boolean" } },
    { "name": "dryRun", "in": "query", "schema": { "type": "boolean", "default": false } },
    { "name": "limit", "in": "query", "schema": { "type": "integer", "minimum": 1 } },
    { "name": "cursor", "in": "query", "schema": { "type": "string", "minLength": 1 } }] } } } }
JSON
cat > read.cjs <<'JS'
const { N8NPropertiesBuilder } = require("@devlikeapro/n8n-openapi-node");
const properties = new N8NPropertiesBuilder(require("./api.json"), {}).build();
for (const { default: value, routing } of properties)
  if (routing?.send?.type === "query")
    console.log(`${routing.send.property} ${routing.send.value} ${JSON.stringify(value)}`);
JS
found=$(node read.cjs)
expected='preview ={{ $value }} true
dryRun ={{ $value }} false
limit ={{ $value }} 0
cursor ={{ $value }} ""'
if [ "$found" != "$expected" ]; then
  diff <(echo "$expected") <(echo "$found") || true
  exit 1
fi
echo "ok: a generated n8n node sends optional parameters that nobody set, and a boolean as true"
