#!/usr/bin/env bash
# openapi-enforcer 1.23.0 from npm, which validates and reads requests by an OpenAPI document.
# Expected: by its documentation, what it gives for a valid request is "parsed and validated". A date is a day of the
# calendar, as RFC 3339 has it, so 2026-11-31 is refused. 19.99 is a multiple of 0.01.
# Really: a day up to 31 that the month does not have is one of the next month: 31 November is the Date of 1 December,
# and 30 February that of 2 March, in a query and in a body. Nothing is said. By multipleOf 0.01, which is how amounts
# of cents are described, 19.99, 4.35 and 0.07 are refused, and 1.1 passes: it takes the remainder of doubles.
# What follows: what somebody enters for the 31st of November is due in December, and 19.99 is not paid at all. Describe
# amounts as texts with a pattern, as openapi.json does, and look at days oneself.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts openapi-enforcer@1.23.0 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const Enforcer = require("openapi-enforcer");

const day = { type: "string", format: "date" };
const schema = { type: "object", properties: { due: day, amount: { type: "number", multipleOf: 0.01 } } };
const document = {
  openapi: "3.0.3",
  info: { title: "Points", version: "1" },
  paths: {
    "/payouts": {
      post: {
        parameters: [{ name: "from", in: "query", schema: day }],
        requestBody: { content: { "application/json": { schema } } },
        responses: { 204: { description: "Paid" } },
      },
    },
  },
};
(async () => {
  const openapi = await Enforcer(document);
  const ask = (query, body) => {
    const headers = { "content-type": "application/json" };
    const [request, error] = openapi.request({ method: "POST", path: `/payouts${query}`, headers, body });
    const read = error ? "refused" : JSON.stringify({ ...request.query, ...request.body });
    console.log(query || JSON.stringify(body), read);
  };
  for (const from of ["2026-11-30", "2026-11-31", "2026-02-30"]) ask(`?from=${from}`, {});
  ask("", { due: "2026-11-31" });
  for (const amount of [1.1, 19.99, 4.35, 0.07]) ask("", { amount });
})();
JS
seen=$(cd "$dir" && node read.cjs)
wanted='?from=2026-11-30 {"from":"2026-11-30T00:00:00.000Z"}
?from=2026-11-31 {"from":"2026-12-01T00:00:00.000Z"}
?from=2026-02-30 {"from":"2026-03-02T00:00:00.000Z"}
{"due":"2026-11-31"} {"due":"2026-12-01T00:00:00.000Z"}
{"amount":1.1} {"amount":1.1}
{"amount":19.99} refused
{"amount":4.35} refused
{"amount":0.07} refused'
[ "$seen" = "$wanted" ] || { printf 'The requests were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to openapi-enforcer 31 November is 1 December, and 19.99 has no cents"
