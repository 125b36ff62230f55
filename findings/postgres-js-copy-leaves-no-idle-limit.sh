#!/usr/bin/env bash
# postgres (postgres.js) 3.4.9, Node 20.
#
# Expected: a COPY FROM STDIN that its caller has ended, and that the server has confirmed, is over: the next bytes on the
# connection belong to the next statement.
# What happens: the stream that `.writable()` returns is destroyed when it has finished, as Node does with every stream, and
# its destroy always sends CopyFail. So the server gets CopyDone, confirms, and then gets "CopyFail: null".
# Postgres ignores that message, but reading it stops the timer that it started when it became ready: a session that is
# idle in a transaction after such a COPY is never ended by idle_in_transaction_session_timeout (seen on 15 and 18), while
# the same session is ended after a SELECT.
# What follows: a restore cannot count on that limit to end a transaction that its source has left hanging, and a limit
# that is in the way shows only where the statement before the pause was no COPY. It sets the limit to 0 itself.
#
# Output seen: "QUERY, CopyData, CopyDone, CopyFail(null)".
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" postgres@3.4.9 >/dev/null

cat >"$dir/copy.mjs" <<'JS'
import net from "node:net";
import postgres from "postgres";

const NAMES = { Q: "QUERY", d: "CopyData", c: "CopyDone", f: "CopyFail" };
const heard = [];
const message = (type, body = Buffer.alloc(0)) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const ready = (state) => message("Z", Buffer.from(state));

// The server's side of one COPY, as the protocol describes it.
const server = net.createServer((socket) => {
  let bytes = Buffer.alloc(0);
  let isStarted = false;
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const at = isStarted ? 1 : 0;
      if (bytes.length < at + 4 || bytes.length < at + bytes.readInt32BE(at)) return;
      const end = at + bytes.readInt32BE(at);
      const type = isStarted ? String.fromCharCode(bytes[0]) : "";
      const body = bytes.subarray(at + 4, end);
      bytes = bytes.subarray(end);
      if (!isStarted) {
        isStarted = true;
        socket.write(Buffer.concat([message("R", Buffer.alloc(4)), ready("I")]));
        continue;
      }
      if (NAMES[type]) heard.push(NAMES[type] + (type === "f" ? `(${body.toString().replace("\0", "")})` : ""));
      if (type === "Q") socket.write(message("G", Buffer.from([0, 0, 1, 0, 0])));
      if (type === "c") socket.write(Buffer.concat([message("C", Buffer.from("COPY 1\0")), ready("I")]));
    }
  });
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const sql = postgres({ host: "127.0.0.1", port: server.address().port, max: 1, fetch_types: false, username: "u" });
const stream = await sql`copy t from stdin`.writable();
stream.end("1\n");
await new Promise((resolve) => stream.on("close", resolve));
await new Promise((resolve) => setTimeout(resolve, 200));
console.log(heard.join(", "));
process.exit(0);
JS

seen=$(node "$dir/copy.mjs")
expected='QUERY, CopyData, CopyDone, CopyFail(null)'
if [ "$seen" != "$expected" ]; then
  echo "changed: expected \"$expected\", got \"$seen\""
  exit 1
fi
echo "ok: postgres 3.4.9 sends CopyFail after a COPY that has succeeded"
