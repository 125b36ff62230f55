#!/usr/bin/env bash
# @platformatic/job-queue 0.5.0 from npm, a queue in Postgres, files or memory: here in memory, and in Postgres as
# @electric-sql/pglite 0.5.14 behind @electric-sql/pglite-socket 0.2.17.
# Expected: as its documentation says, it "prevents duplicate job processing" by the ID, and a cancel that answers
# "cancelled" means "Job was successfully cancelled". So an ID that was cancelled and added again, with other data, is
# made once, with these.
# Really: cancel takes away what is known of the ID, and leaves its entry in the queue. Such an entry is left out when
# its turn comes, as nothing is known of its ID. Once the ID was added again, something is, so the cancelled entry is
# made with its old data, and then the other one. Both are completed, and nothing is said. Without adding it again, the
# cancelled entry is left out.
# What follows: a payout of 900 that was cancelled and corrected to 90 pays 990. Add the correction under another ID.
# Here, a reference can be paid again once its batch is cancelled, and a cancelled batch stays so (docs/api.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @platformatic/job-queue@0.5.0 pg@8.20.0 \
  @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 >/dev/null
cat >correct.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { MemoryStorage, PgStorage, Queue } from "@platformatic/job-queue";

const db = await PGlite.create();
const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 10 });
const listening = new Promise((resolve) => server.addEventListener("listening", ({ detail }) => resolve(detail.port)));
await server.start();
const connectionString = `postgres://postgres@127.0.0.1:${await listening}/postgres`;

for (const storage of [new MemoryStorage(), new PgStorage({ connectionString })]) {
  const producer = new Queue({ storage });
  await producer.start();
  const answers = [];
  const add = async (id, points) => answers.push((await producer.enqueue(id, points)).status);
  const cancel = async (id) => answers.push((await producer.cancel(id)).status);
  await add("only cancelled", 500);
  await cancel("only cancelled");
  await add("corrected", 900);
  await cancel("corrected");
  await add("corrected", 90);
  await add("last", 1);
  const paid = [];
  const worker = new Queue({ storage });
  const isDone = new Promise((resolve) => worker.on("completed", (id) => id === "last" && resolve()));
  worker.execute(async ({ payload }) => paid.push(payload));
  await worker.start();
  await isDone;
  console.log(`${storage.constructor.name}: ${answers.join(", ")}; paid ${paid.join(", ")}`);
}
process.exit(0);
JS
seen=$(timeout 60 node correct.mjs 2>&1)
wanted='MemoryStorage: queued, cancelled, queued, cancelled, queued, queued; paid 900, 90, 1
PgStorage: queued, cancelled, queued, cancelled, queued, queued; paid 900, 90, 1'
[ "$seen" = "$wanted" ] || { printf 'The queues had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: job-queue of Platformatic pays what was cancelled, once the same ID has a correction"
