#!/usr/bin/env bash
# @electric-sql/pglite 0.5.14 behind @electric-sql/pglite-socket 0.2.17, asked by postgres 3.4.9.
#
# Expected: each connection is a session, so a session-level advisory lock that one of them holds is refused to the other.
# Really: all connections share the one session of the WebAssembly Postgres. Both report the same backend, and both get
# the lock:
#   same backend: true, first: true, second: true
#
# So locks exclude nobody: two finalizers would both hold the lock that lets one of them run.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund \
  @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 postgres@3.4.9
cat > "$dir/locks.mjs" <<'EOF'
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import postgres from "postgres";

const server = new PGLiteSocketServer({ db: await PGlite.create(), host: "127.0.0.1", port: 0, maxConnections: 2 });
const listening = new Promise((resolve) => server.addEventListener("listening", ({ detail }) => resolve(detail.port)));
await server.start();
const port = await listening;
const open = () => postgres({ host: "127.0.0.1", port, user: "postgres", database: "postgres", max: 1 });
const ask = async (sql) => (await sql`select pg_backend_pid() as pid, pg_try_advisory_lock(7) as locked`)[0];
const clients = [open(), open()];
const [first, second] = [await ask(clients[0]), await ask(clients[1])];
console.log(`same backend: ${first.pid === second.pid}, first: ${first.locked}, second: ${second.locked}`);
process.exit(0);
EOF
seen=$(timeout 60 node "$dir/locks.mjs")
expected="same backend: true, first: true, second: true"
if [ "$seen" != "$expected" ]; then
  printf 'changed: %s\n' "$seen" >&2
  exit 1
fi
echo "ok: two clients of PGlite both get one lock"
