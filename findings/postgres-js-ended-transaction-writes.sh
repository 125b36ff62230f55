#!/usr/bin/env bash
# postgres (postgres.js) 3.4.9, Node 20.
#
# Expected: the `tx` of `sql.begin(async (tx) => …)` is of no use once its function has failed and the
# transaction was rolled back. A statement on it is refused.
# What happens: it is sent on the connection that the transaction had, which may be another caller's by now.
# So code that was still under way (the slower half of a Promise.all whose other half has failed) writes on
# its own after the rollback, or in the middle of another caller's transaction, which commits it. Neither
# caller gets an error.
# What follows: that a transaction was rolled back does not say that its code wrote nothing. The patch of
# the driver refuses such statements (docs/internals.md).
#
# Output seen: "begin, rollback, begin, insert of the first, insert of the second, commit".
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" postgres@3.4.9 >/dev/null

cat >"$dir/ended.mjs" <<'JS'
import net from "node:net";
import postgres from "postgres";

const heard = [];
const message = (type, body) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const ready = (state) => message("Z", Buffer.from(state));

const empty = Buffer.alloc(0);

// The server's side of statements without parameters and rows, as the protocol describes it.
const server = net.createServer((socket) => {
  let bytes = empty;
  let isStarted = false;
  let state = "I";
  let prepared = "";
  const run = (text, before = []) => {
    heard.push(text);
    if (text === "begin") state = "T";
    if (text === "commit" || text === "rollback") state = "I";
    const done = message("C", Buffer.from(`${text.split(" ")[0].toUpperCase()}\0`));
    socket.write(Buffer.concat([...before, done, ready(state)]));
  };
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const at = isStarted ? 1 : 0;
      if (bytes.length < at + 4 || bytes.length < at + bytes.readInt32BE(at)) return;
      const end = at + bytes.readInt32BE(at);
      const type = isStarted ? String.fromCharCode(bytes[0]) : "";
      const words = bytes.subarray(at + 4, end).toString().split("\0");
      bytes = bytes.subarray(end);
      if (!isStarted) {
        isStarted = true;
        socket.write(Buffer.concat([message("R", Buffer.alloc(4)), ready("I")]));
      }
      if (type === "Q") run(words[0].trim());
      if (type === "P") prepared = words[1].trim();
      if (type === "S")
        run(prepared, [
          message("1", empty), message("t", Buffer.alloc(2)), message("n", empty), message("2", empty),
        ]);
    }
  });
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const sql = postgres({ host: "127.0.0.1", port: server.address().port, max: 1, fetch_types: false, username: "u" });
let first;
await sql
  .begin((tx) => {
    first = tx;
    throw new Error("the other half failed");
  })
  .catch(() => undefined);
await sql.begin(async (tx) => {
  await first.unsafe("insert of the first");
  await tx.unsafe("insert of the second");
});
console.log(heard.join(", "));
process.exit(0);
JS

seen=$(node "$dir/ended.mjs")
expected='begin, rollback, begin, insert of the first, insert of the second, commit'
if [ "$seen" != "$expected" ]; then
  echo "changed: expected \"$expected\", got \"$seen\""
  exit 1
fi
echo "ok: postgres 3.4.9 runs a statement of a transaction that is over in the next one"
