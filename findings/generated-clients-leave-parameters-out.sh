#!/usr/bin/env bash
# Tools: orval 7.13.2 (client `fetch`, its defaults) and swagger-typescript-api 13.13.0.
# Expected: a function has an argument for each parameter of its operation, and sends it as the document says.
# Behaviour: neither has an argument for a parameter in a header. orval has one only with `output.headers: true`. orval also
#   writes a `deepObject` parameter with toString(): `metadata=[object Object]`.
# Follows: such a client cannot send `Idempotency-Key`, and every POST is a new payment. PUT, whose ID is in the path, works in
#   every generated client. A query `metadata=…` is refused with the form it has, rather than ignored.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" \
  orval@7.13.2 swagger-typescript-api@13.13.0 esbuild@0.25.12 >/dev/null 2>&1
cat > api.json <<'JSON'
{ "openapi": "3.1.0", "info": { "title": "Orders", "version": "1" }, "paths": { "/orders": {
  "get": { "operationId": "listOrders", "responses": { "200": { "description": "ok" } }, "parameters": [
    { "name": "metadata", "in": "query", "style": "deepObject", "explode": true,
      "schema": { "type": "object", "additionalProperties": { "type": "string" } } }] },
  "post": { "operationId": "createOrder", "responses": { "200": { "description": "ok" } }, "parameters": [
    { "name": "Idempotency-Key", "in": "header", "schema": { "type": "string" } },
    { "name": "dryRun", "in": "query", "schema": { "type": "boolean" } }] } } } }
JSON
for headers in false true; do
  echo "module.exports = { api: { input: './api.json',
    output: { target: './orval-$headers.ts', client: 'fetch', headers: $headers } } }" > orval.config.cjs
  node_modules/.bin/orval --config orval.config.cjs >/dev/null 2>&1
done
node_modules/.bin/swagger-typescript-api generate -p api.json -o swagger >/dev/null 2>&1
node_modules/.bin/esbuild orval-false.ts --format=esm --outfile=orval.mjs --log-level=error

counts() { grep -c "$1" "$2" || true; }
found="orval: query $(counts 'dryRun?:' orval-false.ts), header $(counts "Idempotency-Key" orval-false.ts)
orval with headers: header $(counts "'Idempotency-Key'?: string" orval-true.ts)
swagger-typescript-api: query $(counts 'dryRun?:' swagger/Api.ts), header $(counts 'Idempotency-Key' swagger/Api.ts)
$(node -e 'import("./orval.mjs").then((api) =>
  console.log(decodeURIComponent(api.getListOrdersUrl({ metadata: { campaign: "summer" } }))))')"
expected="orval: query 1, header 0
orval with headers: header 1
swagger-typescript-api: query 1, header 0
/orders?metadata=[object+Object]"
if [ "$found" != "$expected" ]; then
  diff <(echo "$expected") <(echo "$found") || true
  exit 1
fi
echo "ok: orval and swagger-typescript-api leave header parameters out, and orval's deepObject is [object Object]"
