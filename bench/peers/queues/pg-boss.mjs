// Due batches as pg-boss jobs, one job per batch, fetched and completed fifty at a time.
import pg from "pg";
import PgBoss from "pg-boss";

const { DATABASE_URL, SETTLE_ONE, FINALIZERS } = process.env;
const FETCH = 50;
const finalizers = Number(FINALIZERS);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: finalizers });
const boss = new PgBoss({
  connectionString: DATABASE_URL,
  max: finalizers,
  supervise: false,
  schedule: false,
});
boss.on("error", (error) => {
  throw error;
});
await boss.start();
await boss.createQueue("settle");
const { rows } = await pool.query(
  "select encode(contract_address, 'hex') as contract, seq::text from batches",
);
for (let from = 0; from < rows.length; from += 1000) {
  await boss.insert(rows.slice(from, from + 1000).map((data) => ({ name: "settle", data })));
}

async function work() {
  for (;;) {
    const jobs = await boss.fetch("settle", { batchSize: FETCH });
    if (jobs.length === 0) return;
    for (const { data } of jobs) {
      const values = [Buffer.from(data.contract, "hex"), data.seq];
      await pool.query({ name: "settle", text: SETTLE_ONE, values });
    }
    await boss.complete(
      "settle",
      jobs.map(({ id }) => id),
    );
  }
}

process.once("message", async () => {
  await Promise.all(Array.from({ length: finalizers }, work));
  process.send("done");
  await boss.stop({ graceful: false });
  await pool.end();
  process.disconnect();
});
process.send("ready");
