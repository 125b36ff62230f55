#!/usr/bin/env bash
# @nicnocquee/dataqueue 1.24.0 from npm, a queue in Postgres, with @electric-sql/pglite 0.5.14 behind
# @electric-sql/pglite-socket 0.2.17.
# Expected: as its types say, cancelJob "will set the job status to 'cancelled'", and a change is in the events of the
# entry.
# Really: only an entry that is pending is cancelled. One that has failed once, and waits to be tried again, has the
# status failed, so that nothing happens to it, cancelJob does not fail, and the event "cancelled" is written all the
# same. When its time comes, it runs. So does one that was edited meanwhile, with its old data and an event "edited"
# that has the new ones. Entries that were never tried are cancelled.
# What follows: a payment that was stopped because the bank was away is made, and the history says that it was
# cancelled. Ask for the status afterwards. Here, a batch that cannot be cancelled is answered with 409 (docs/api.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @nicnocquee/dataqueue@1.24.0 \
  @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 >/dev/null
cat >cancel.mjs <<'JS'
import { readdirSync, readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { initJobQueue } from "@nicnocquee/dataqueue";

const db = await PGlite.create();
const folder = "node_modules/@nicnocquee/dataqueue/migrations/";
for (const file of readdirSync(folder).sort())
  await db.exec(readFileSync(folder + file, "utf8").split("-- Down Migration")[0]);
const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 10 });
const listening = new Promise((resolve) => server.addEventListener("listening", ({ detail }) => resolve(detail.port)));
await server.start();
const connectionString = `postgres://postgres@127.0.0.1:${await listening}/postgres`;
const queue = initJobQueue({ databaseConfig: { connectionString, max: 4 } });

let isBankAway = true;
const paid = [];
const pay = async ({ points }) => {
  if (isBankAway) throw new Error("the bank is away");
  paid.push(points);
};
const worker = queue.createProcessor({ pay });
const add = (points) => queue.addJob({ jobType: "pay", payload: { points } });
const print = async (name, id) => {
  const events = (await queue.getJobEvents(id)).map((event) => event.eventType);
  console.log(`${name}: ${(await queue.getJob(id)).status}, after ${events.join(", ")}`);
};

const tried = await add("5");
await worker.start();
const untried = await add("6");
for (const [name, id] of Object.entries({ untried, tried })) {
  await queue.cancelJob(id);
  await print(name, id);
}
await queue.editJob(tried, { payload: { points: "1" } });
isBankAway = false;
await db.exec("update job_queue set next_attempt_at = now() where next_attempt_at is not null");
await worker.start();
await print("tried", tried);
console.log(`paid: ${paid}`);
process.exit(0);
JS
seen=$(timeout 60 node cancel.mjs 2>/dev/null)
wanted='untried: cancelled, after added, cancelled
tried: failed, after added, processing, failed, cancelled
tried: completed, after added, processing, failed, cancelled, edited, processing, completed
paid: 5'
[ "$seen" = "$wanted" ] || { printf 'The queue had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: dataqueue makes a payment whose history says that it was cancelled"
