#!/usr/bin/env bash
# agenda 6.2.6 with @agendajs/postgres-backend 3.0.6 from npm, in Postgres as @electric-sql/pglite 0.5.14 behind
# @electric-sql/pglite-socket 0.2.17.
# Expected: `unique` has, as its types say, "data to ensure is unique" for an entry to be created. So of two requests
# for one payout, with unique data and insertOnly, one makes an entry, and the other gets that one.
# Really: it looks for such an entry, and inserts one if there is none, in two statements without a transaction, and
# the table has no unique index for it. Two requests that come together both find none, and the payout is made twice.
# One after the other, it is made once, and so it is mostly where connections are not open yet, so a test shows
# nothing.
# What follows: a double click, or a client that repeats what took long, pays twice. Ask Postgres itself: a unique
# index of one's own on the data. Here, a reference is unique by an index (db/schema/batches.ts).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts agenda@6.2.6 \
  @agendajs/postgres-backend@3.0.6 @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 >/dev/null
cat >twice.mjs <<'JS'
import { setTimeout as sleep } from "node:timers/promises";
import { PostgresBackend } from "@agendajs/postgres-backend";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { Agenda } from "agenda";

const db = await PGlite.create();
const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 20 });
const listening = new Promise((resolve) => server.addEventListener("listening", ({ detail }) => resolve(detail.port)));
await server.start();
const connectionString = `postgres://postgres@127.0.0.1:${await listening}/postgres`;
const agenda = new Agenda({ backend: new PostgresBackend({ connectionString }), processEvery: "1 second" });
await agenda.ready;

const paid = [];
agenda.define("pay", async ({ attrs }) => void paid.push(attrs.data.payout));
const ask = (payout, when = new Date()) =>
  agenda.create("pay", { payout }).unique({ "data.payout": payout }, { insertOnly: true }).schedule(when).save();
const tomorrow = new Date(Date.now() + 86_400_000);
// Opens some connections, as a service has after its first requests.
await Promise.all(["a", "b", "c", "d"].map((payout) => ask(payout, tomorrow)));

await ask("October");
await ask("October");
await Promise.all([ask("November"), ask("November")]);
await agenda.start();
for (let wait = 0; wait < 100 && paid.length < 3; wait++) await sleep(100);
await sleep(1500);
console.log(paid.sort().join(" "));
process.exit(0);
JS
seen=$(timeout 60 node twice.mjs 2>/dev/null)
wanted='November November October'
[ "$seen" = "$wanted" ] || { printf 'Paid was\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: agenda in Postgres makes a unique payout twice, if two requests come together"
