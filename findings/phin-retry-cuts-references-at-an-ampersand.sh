#!/usr/bin/env bash
# phin-retry 2.0.0 from npm, a client of HTTP that repeats what failed.
# Expected: as its documentation says, qs are "query parameters", an object, and retry is the "max no of times to
# retry". So the reference R&D is asked for as such, and with retry 0 nothing is sent twice.
# Really: names and values are put together as they are. Of R&D, R is asked for, beside a parameter named D. Of C#4 it
# is C, and all parameters behind it are left out with it. a+b is "a b". Spaces are right. And the options are taken out
# of the object that they were given in: who calls with one object twice has retry 0 the first time, and the default of
# 1 the second time, so that a POST that failed is sent again. Nothing is said.
# What follows: a payment is looked for by its reference, none is found, or another one, and it is paid again. A filter
# behind such a value is left out, so all states count. Write the address with URLSearchParams, and give each call an
# object of its own. References here may have each of these signs (openapi.json).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts phin-retry@2.0.0 >/dev/null
cat >ask.cjs <<'JS'
const { createServer } = require("node:http");
const request = require("phin-retry");

let asked = [];
let status = 200;
const server = createServer(({ url }, response) => {
  asked.push([...new URL(url, "http://points.test").searchParams].map((pair) => pair.join(" is ")).join(", "));
  response.writeHead(status).end("{}");
});
server.listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}/transfers`;
  for (const reference of ["season 3", "R&D", "C#4", "a+b"]) {
    asked = [];
    await request.get({ url, qs: { reference, state: "PAID" } });
    console.log(`${reference}: ${asked}`);
  }
  status = 503;
  const options = { url, retry: 0 };
  for (const time of ["first", "second"]) {
    asked = [];
    await request.post(options).catch(() => {});
    console.log(`${time} POST: sent ${asked.length} times`);
  }
  process.exit(0);
});
JS
seen=$(node ask.cjs)
wanted='season 3: reference is season 3, state is PAID
R&D: reference is R, D is , state is PAID
C#4: reference is C
a+b: reference is a b, state is PAID
first POST: sent 1 times
second POST: sent 2 times'
[ "$seen" = "$wanted" ] || { printf 'The server was asked for\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: phin-retry asks for the reference R where it is R&D"
