#!/usr/bin/env bash
# @interledger/openapi 2.0.4 from npm, which checks requests and answers by a document. Ajv 8.20.0 for 2020-12 beside it.
# Expected: as its documentation says, all are checked by an OpenAPI 3.1 document, so by JSON Schema 2020-12, and uint64
# is a whole number of 64 bits.
# Really: the keywords of 2020-12 are those of draft 7, and the newer ones are passed over. With unevaluatedProperties
# false, "limitt" is taken, and dependentRequired and minContains demand nothing. A pair by prefixItems is refused when
# it is right. uint64 is taken for the empty text, and for 2^64. Types, const, pattern and additionalProperties are
# right, so a document without the newer keywords is checked well, and nothing is said of one that has them.
# What follows: a payment whose limit is misspelt is taken as one without a limit. Write additionalProperties false, and
# a pattern for amounts, as openapi.json does: of the keywords below, it has additionalProperties only.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @interledger/openapi@2.0.4 ajv@8.20.0 \
  >/dev/null
cat >"$dir/check.mjs" <<'JS'
import { createOpenAPI } from "@interledger/openapi";
import Ajv from "ajv/dist/2020.js";

const amount = { type: "object", properties: { value: { type: "string" }, limit: { type: "string" } } };
const list = (schema) => ({ type: "object", properties: { list: { type: "array", ...schema } } });
const uint64 = { type: "object", properties: { value: { type: "string", format: "uint64" } } };
const isUint64 = (text) => /^\d{1,20}$/.test(text) && BigInt(text) < 2n ** 64n;
const cases = {
  additionalProperties: [{ ...amount, additionalProperties: false }, { value: "5", limitt: "1" }],
  unevaluatedProperties: [{ allOf: [amount], unevaluatedProperties: false }, { value: "5", limitt: "1" }],
  dependentRequired: [{ ...amount, dependentRequired: { value: ["limit"] } }, { value: "5" }],
  minContains: [list({ contains: { const: "approved" }, minContains: 2 }), { list: ["approved"] }],
  prefixItems: [list({ prefixItems: [{ type: "string" }, { type: "integer" }], items: false }), { list: ["Bob", 5] }],
  "uint64 of 5": [uint64, { value: "5" }],
  "uint64 of nothing": [uint64, { value: "" }],
  "uint64 of 2^64": [uint64, { value: "18446744073709551616" }],
};
const say = (check) => {
  try {
    return check() ? "taken" : "refused";
  } catch ({ errors }) {
    return errors ? "refused" : "failed";
  }
};
console.warn = () => {};
for (const [name, [schema, body]] of Object.entries(cases)) {
  const content = { "application/json": { schema } };
  const responses = { 200: { description: "Paid.", content } };
  const document = { openapi: "3.1.0", info: { title: "Pay", version: "1" } };
  const paths = { "/pay": { post: { requestBody: { required: true, content }, responses } } };
  const api = await createOpenAPI(structuredClone({ ...document, paths }));
  const [request, answer] = [api.createRequestValidator, api.createResponseValidator].map((make) =>
    make.call(api, { path: "/pay", method: "post" }));
  const headers = { "content-type": "application/json" };
  const ajv = new Ajv({ strict: false, formats: { uint64: isUint64 } });
  const said = [() => request({ body, headers, params: {}, query: {} }), () => answer({ status: 200, body }),
    () => ajv.validate(schema, body)].map(say);
  console.log(`${name}: ${said.join(", ")}`);
}
JS
seen=$(cd "$dir" && node check.mjs 2>&1)
wanted='additionalProperties: refused, refused, refused
unevaluatedProperties: taken, taken, refused
dependentRequired: taken, taken, refused
minContains: taken, taken, refused
prefixItems: refused, refused, taken
uint64 of 5: taken, taken, taken
uint64 of nothing: taken, taken, refused
uint64 of 2^64: taken, taken, refused'
[ "$seen" = "$wanted" ] || { printf 'They were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: @interledger/openapi takes what unevaluatedProperties and dependentRequired refuse"
