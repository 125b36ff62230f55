// Due batches as graphile-worker jobs, one job per batch.
import { Logger, makeWorkerUtils, runOnce } from "graphile-worker";
import pg from "pg";

const { DATABASE_URL, SETTLE_ONE, FINALIZERS } = process.env;
const finalizers = Number(FINALIZERS);
const logger = new Logger(() => () => undefined);
const pgPool = new pg.Pool({ connectionString: DATABASE_URL, max: finalizers + 4 });
pgPool.on("error", () => undefined);
pgPool.on("connect", (client) => client.on("error", () => undefined));
const utils = await makeWorkerUtils({ pgPool, logger });
await utils.migrate();
await pgPool.query(`select graphile_worker.add_jobs(array_agg(json_populate_record(null::graphile_worker.job_spec,
  json_build_object('identifier', 'settle', 'payload', json_build_object('contract', encode(contract_address, 'hex'), 'seq', seq::text)))))
  from batches`);
await utils.release();

const taskList = {
  async settle({ contract, seq }, { withPgClient }) {
    const values = [Buffer.from(contract, "hex"), seq];
    await withPgClient((client) => client.query({ name: "settle", text: SETTLE_ONE, values }));
  },
};

process.once("message", async () => {
  await runOnce({ pgPool, taskList, logger, concurrency: finalizers, noHandleSignals: true });
  process.send("done");
  await pgPool.end();
  process.disconnect();
});
process.send("ready");
