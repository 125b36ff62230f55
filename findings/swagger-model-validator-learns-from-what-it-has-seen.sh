#!/usr/bin/env bash
# swagger-model-validator 3.0.21 from npm, which checks objects by the models of an OpenAPI document. Ajv 8.20.0, which
# checks by the same schema, is beside it.
# Expected: one object has one answer, whatever was checked before it. As its documentation says, oneOf is validated,
# and exclusiveMinimum may be a number, "specific exclusive minimums", so 0 is not above 0.
# Really: by oneOf, anyOf or allOf, it writes a type into the model while it looks at each of them, and what is checked
# later is checked by that type only. So by oneOf of a whole number and a text of digits, 5 is valid for the first
# object and refused for the next one. By anyOf, whatever came first is valid from then on: after 5, the text "5" is
# refused, and after "5" any text is valid, such as "all". Patterns within oneOf and allOf are not looked at.
# exclusiveMinimum 0 is none, so that 0 and -5 are valid; 1 is right. Nothing is said. One type with a pattern is right,
# and so is a test of one object by anyOf.
# What follows: a payment of 5 points is taken or refused by what somebody else sent before, one of "all" is taken, and
# one of -5 as well. Write one type and a pattern, and minimum. Amounts are texts with a pattern in openapi.json.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts swagger-model-validator@3.0.21 \
  ajv@8.20.0 >/dev/null
cat >check.cjs <<'JS'
const Ajv = require("ajv");
const Validator = require("swagger-model-validator");

const whole = { type: "integer" };
const digits = { type: "string", pattern: "^[0-9]+$" };
const check = (points, ...values) => {
  const name = Object.keys(points).join(" and ");
  const schema = { type: "object", required: ["points"], properties: { points } };
  const model = structuredClone(schema);
  const ajv = new Ajv({ strict: false }).compile(schema);
  const validator = new Validator();
  const say = (isValid) => (isValid ? "valid" : "refused");
  const answers = values.map((value) => {
    const { valid } = validator.validate({ points: value }, model, {});
    return `${JSON.stringify(value)} ${say(valid)} ${say(ajv({ points: value }))}`;
  });
  console.log(`${name}: ${answers.join(", ")}`);
};
check({ oneOf: [whole, digits] }, 5, 5, "5", "all");
check({ anyOf: [whole, digits] }, 5, "5");
check({ anyOf: [whole, digits] }, "5", 5, "all");
check({ allOf: [{ type: "string" }, digits] }, "5", "all");
check({ type: "integer", exclusiveMinimum: 0 }, 5, 0, -5);
check({ type: "integer", exclusiveMinimum: 1 }, 5, 1, -5);
check(digits, "5", "all", 5, "5");
JS
seen=$(node check.cjs)
wanted='oneOf: 5 valid valid, 5 refused valid, "5" valid valid, "all" valid refused
anyOf: 5 valid valid, "5" refused valid
anyOf: "5" valid valid, 5 refused valid, "all" valid refused
allOf: "5" valid valid, "all" valid refused
type and exclusiveMinimum: 5 valid valid, 0 valid refused, -5 valid refused
type and exclusiveMinimum: 5 valid valid, 1 refused refused, -5 refused refused
type and pattern: "5" valid valid, "all" refused refused, 5 refused refused, "5" valid valid'
[ "$seen" = "$wanted" ] || { printf 'The answers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: swagger-model-validator takes 5 once, and refuses it from then on"
