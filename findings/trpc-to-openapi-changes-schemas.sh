#!/usr/bin/env bash
# trpc-to-openapi 3.3.0 with zod 4.6.7 and @trpc/server 11.22.1 from npm, its fetch adapter.
# Expected: as its documentation says, parameters of a query or path are texts and are made numbers and
# booleans. A body in JSON and calls over tRPC itself are checked by the schema as it was written.
# Really: bodies are coerced, too: null is 0 points, true is 1, and "false" is true. And it is done by setting
# a flag in the schemas that the program shares. Once a procedure was called over REST, its input schema
# takes all this everywhere: in tRPC, in other procedures, in a plain parse(). What was refused before the
# first request is accepted after it, until the process ends.
# What follows: the service makes its document with this package, which leaves the schemas alone, and answers
# REST with an adapter of its own.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts trpc-to-openapi@3.3.0 zod@4.6.7 \
  @trpc/server@11.22.1 >/dev/null
cat >call.mjs <<'JS'
import { initTRPC } from "@trpc/server";
import { createOpenApiFetchHandler } from "trpc-to-openapi";
import { z } from "zod";

const t = initTRPC.meta().create();
const payment = z.object({ points: z.number(), dryRun: z.boolean() });
const openapi = { method: "POST", path: "/payments" };
const router = t.router({
  pay: t.procedure.meta({ openapi }).input(payment).output(z.any()).mutation(({ input }) => input),
  preview: t.procedure.input(payment).mutation(({ input }) => input),
});
const caller = t.createCallerFactory(router)({});
const say = async (name, run) => console.log(name, JSON.stringify(await run().catch(() => "refused")));
const send = async (body) => {
  const headers = { "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const req = new Request("http://localhost/payments", init);
  return (await createOpenApiFetchHandler({ endpoint: "/", router, createContext: () => ({}), req })).json();
};
const wrong = { points: null, dryRun: "false" };
for (const time of ["before", "after"]) {
  await say(`${time}: tRPC`, () => caller.preview(wrong));
  await say(`${time}: parse`, async () => payment.parse(wrong));
  if (time === "before") await say("REST", () => send(wrong));
}
JS
seen=$(node call.mjs)
wanted='before: tRPC "refused"
before: parse "refused"
REST {"points":0,"dryRun":true}
after: tRPC {"points":0,"dryRun":true}
after: parse {"points":0,"dryRun":true}'
[ "$seen" = "$wanted" ] || { printf 'The calls gave\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: one REST request through trpc-to-openapi changes what the schemas of a program accept"
