#!/usr/bin/env bash
# Tool: @apidevtools/swagger-parser 13.0.0, which orval, swagger-typescript-api and generators of MCP
#   servers read documents with.
# Expected: the license of an OpenAPI 3.1 document needs only a `name`. `identifier` and `url` are optional,
#   and exclude each other.
# Behaviour: `validate` refuses a license that has neither, and with it the whole document. OpenAPI 3.0 with
#   the same license is valid to it, and the 3.1 document is valid to @seriousme/openapi-schema-validator
#   2.11.0.
# Follows: the served document's license has a `url`.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" \
  @apidevtools/swagger-parser@13.0.0 @seriousme/openapi-schema-validator@2.11.0 >/dev/null 2>&1
cat > check.mjs <<'JS'
import SwaggerParser from "@apidevtools/swagger-parser";
import { Validator } from "@seriousme/openapi-schema-validator";

for (const [openapi, more] of [
  ["3.0.3", {}],
  ["3.1.0", {}],
  ["3.1.0", { identifier: "MIT" }],
  ["3.1.0", { url: "https://opensource.org/license/mit" }],
]) {
  const make = () => ({ openapi, info: { title: "T", version: "1", license: { name: "MIT", ...more } }, paths: {} });
  const isValid = await SwaggerParser.validate(make()).then(() => true, () => false);
  const { valid } = await new Validator().validate(make());
  console.log(`${openapi} name ${Object.keys(more)}: ${isValid} ${valid}`);
}
JS
found=$(node check.mjs)
expected='3.0.3 name : true true
3.1.0 name : false true
3.1.0 name identifier: true true
3.1.0 name url: true true'
if [ "$found" != "$expected" ]; then
  diff <(echo "$expected") <(echo "$found") || true
  exit 1
fi
echo "ok: swagger-parser refuses an OpenAPI 3.1 document whose license has only a name"
