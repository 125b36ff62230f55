#!/usr/bin/env bash
# express-idempotency 1.0.6 with express 4.21.2 from npm, under Node 20.
# Expected: a POST that has succeeded is answered again when it is repeated with its Idempotency-Key, however
# its route wrote the answer, and with the same headers.
# Really: the middleware takes the answer from `send` (and so from `json`). A route that writes with `write`
# and `end`, as adapters of other frameworks, proxies and streams do, is never known to be done: each repeat
# gets 500, "A previous request is still in progress for this key.", and never the answer.
# Of the headers only Content-Type is kept: a repeated 201 has no Location.
# What follows: a client that repeats on 5xx, as it should, does so until it gives up, though it was paid the
# first time. This service stores the result with the batch, and a repeat reads it from there.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts express-idempotency@1.0.6 \
  express@4.21.2 >/dev/null
cat >serve.cjs <<'JS'
const express = require("express");
const { getSharedIdempotencyService, idempotency } = require("express-idempotency");

const app = express().use(express.json(), idempotency());
app.post("/:way", (request, response) => {
  if (getSharedIdempotencyService().isHit(request)) return;
  response.status(201).location("/payments/1").type("json");
  if (request.params.way === "json") response.json({ id: "1" });
  else response.end('{"id":"1"}');
});
app.use((error, request, response, next) => response.status(500).json({ message: error.message }));
const server = app.listen(0, "127.0.0.1", async () => {
  for (const way of ["json", "end"])
    for (const time of ["first", "again", "later"]) {
      const headers = { "Content-Type": "application/json", "Idempotency-Key": way };
      const address = `http://127.0.0.1:${server.address().port}/${way}`;
      const answer = await fetch(address, { method: "POST", headers, body: "{}" });
      console.log(way, time, answer.status, answer.headers.get("Location"), await answer.text());
    }
  process.exit(0);
});
JS
seen=$(node serve.cjs)
refused='{"message":"A previous request is still in progress for this key."}'
wanted="json first 201 /payments/1 {\"id\":\"1\"}
json again 201 null {\"id\":\"1\"}
json later 201 null {\"id\":\"1\"}
end first 201 /payments/1 {\"id\":\"1\"}
end again 500 null $refused
end later 500 null $refused"
[ "$seen" = "$wanted" ] || { printf 'The answers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: express-idempotency refuses repeats of a request whose route ended the answer itself"
