import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { isDistributed } from "@/server/kernel/shards";
import { expectLedgerToBalance, groupsStored } from "./expectations";
import { APPROVAL_THRESHOLD, LedgerModel } from "./model";
import {
  commands,
  expectSameBalances,
  expectSamePasts,
  instants,
  reversals,
  type Service,
  submits,
  taken,
} from "./model-commands";
import { useLedger } from "./use-ledger";

const RUNS = Number(process.env.MODEL_RUNS ?? 100);
const SEED = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Ends a run that hangs, on however busy a machine. Each history ends with a full ledger check. */
const HISTORY_MS_MAX = 8000;
const MS_MAX = RUNS * HISTORY_MS_MAX * Math.max(1, Number(process.env.MODEL_STEPS_MAX ?? 40) / 40);

const { db, newContract } = useLedger();
let oneConnection: Database;
beforeAll(() => {
  oneConnection = createDatabase({ url: db.url, poolMax: 1, timeoutSeconds: 30, pooler: "none" });
});
afterAll(() => oneConnection.close());

let runs = 0;

async function newService(): Promise<Service> {
  const wallets = 0x100_0000 + runs++ * 16;
  const contracts = [await newContract(), await newContract(), await newContract({ issuance: "PREFUNDED" })];
  await db.sql`
    insert into approval_rules (contract_address, point_type, threshold, on_unusual)
    select ${addressToBytes(contracts[1]!)}, kind, ${APPROVAL_THRESHOLD}::text::numeric, false
    from unnest(enum_range(null::point_type)) as kind`;
  return { db, oneConnection, contracts, wallets };
}

/** MODEL_SEED repeats a run. A failure also prints a path, with which `fc.assert` runs that history only. */
test(
  `${RUNS} random histories match the in-memory model`,
  async () => {
    let batches = 0;
    const property = fc.asyncProperty(commands, async (history) => {
      const service = await newService();
      const model = new LedgerModel([service.contracts[2]!], service.contracts[1]!);
      await fc.asyncModelRun(() => ({ model, real: service }), history);
      await expectSameBalances(model, service);
      await expectSamePasts(service);
      await expectLedgerToBalance(db);
      batches += model.batches.length;
    });
    const run = { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: MS_MAX, markInterruptAsFailure: true };
    await fc.assert(property, run);
    console.log(
      `${runs} histories, ${taken.steps} steps, ${batches} batches; to repeat them: MODEL_SEED=${SEED}`,
    );
    console.log(`reversals: ${[...reversals].map(([answer, count]) => `${count} ${answer}`).join(", ")}`);
    expect(batches).toBeGreaterThan(RUNS);
    expect(reversals.get("stored")).toBeGreaterThan(0);
    console.log(`${instants.compared} instants compared with what was taken then`);
    expect(instants.compared).toBeGreaterThanOrEqual(RUNS / 2);
    expect(submits.get("reference_already_paid")).toBeGreaterThan(0);
    // On Citus no batches share a statement.
    if (!(await isDistributed(db))) expect(await groupsStored(db)).toBeGreaterThan(0);
  },
  MS_MAX + 30_000,
);
