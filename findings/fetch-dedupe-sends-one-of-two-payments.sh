#!/usr/bin/env bash
# fetch-dedupe 3.0.0 from npm, a wrapper of fetch, under Node 20.
# Expected: as its documentation says, it deduplicates "requests that are exactly the same", and takes a Request instead
# of an address. Bodies are "just strings for now", and by default they are part of what makes a request the same. So
# two payments under way together, to Alice and to Bob, are both sent.
# Really: of a Request, it takes the body as text, which is [object ReadableStream] whatever it was made of. So the
# payment to Bob is not sent, and gets the answer of the one to Alice, with its status 200 or 201. Forms, which it does
# not name, are [object FormData] as well. Headers are no part of it: of two requests with other Idempotency-Keys and
# the same text, one is sent. An address and a text that differ are right, and so are Requests one after the other, so a
# test may show nothing.
# What follows: of a list that is paid in parallel, one recipient is paid, and all are noted as paid. Give each payment
# a requestKey of its own, or dedupe: false. Requests to this service are safe to repeat, so nothing is gained by it
# (docs/retries.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts fetch-dedupe@3.0.0 >/dev/null
cat >pay.cjs <<'JS'
const { createServer } = require("node:http");
const { fetchDedupe } = require("fetch-dedupe");

const paid = [];
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const to = body.includes("alice") ? "alice" : "bob";
  paid.push(to);
  response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ to }));
});
server.listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}/payments`;
  const post = (to, more) => ({ method: "POST", body: JSON.stringify({ to, points: "5" }), ...more });
  const form = (to) => {
    const fields = new FormData();
    fields.set("to", to);
    return fields;
  };
  const ways = {
    "an address and a text": (to) => fetchDedupe(url, post(to)),
    "a Request": (to) => fetchDedupe(new Request(url, post(to))),
    "a Request with a key": (to) => fetchDedupe(new Request(url, post(to)), {}, { requestKey: to }),
    "a form": (to) => fetchDedupe(url, post(to, { body: form(to) })),
    "other Idempotency-Keys": (to) => fetchDedupe(url, post("alice", { headers: { "Idempotency-Key": to } })),
  };
  for (const [way, pay] of Object.entries(ways)) {
    paid.length = 0;
    const answers = await Promise.all([pay("alice"), pay("bob")]);
    const got = answers.map(({ status, data }) => `${status} ${data.to}`);
    console.log(`${way}: paid ${paid.sort().join(" and ")}, answered ${got.join(" and ")}`);
  }
  process.exit(0);
});
JS
seen=$(node pay.cjs)
wanted='an address and a text: paid alice and bob, answered 201 alice and 201 bob
a Request: paid alice, answered 201 alice and 201 alice
a Request with a key: paid alice and bob, answered 201 alice and 201 bob
a form: paid alice, answered 201 alice and 201 alice
other Idempotency-Keys: paid alice, answered 201 alice and 201 alice'
[ "$seen" = "$wanted" ] || { printf 'The payments were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: fetch-dedupe sends one of two Requests with other bodies, and answers both"
