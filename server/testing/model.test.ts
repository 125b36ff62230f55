import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectLedgerToBalance } from "./expect-ledger-to-balance";
import { newContract } from "./factories";
import { LedgerModel } from "./model";
import { commands } from "./model-commands";
import { expectSameBalances, type Service } from "./model-reads";
import { type TestDatabase, testDatabase } from "./test-database";

const RUNS = Number(process.env.MODEL_RUNS ?? 100);
const MS_MAX = RUNS * 600;

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

let runs = 0;

async function newService(): Promise<Service> {
  const wallets = 0x100_0000 + runs++ * 16;
  const contracts = [
    await newContract(db),
    await newContract(db),
    await newContract(db, { issuance: "PREFUNDED" }),
  ];
  return { db, contracts, wallets };
}

/** A failure prints its seed and path: give them to `fc.assert` to see it again, and MODEL_RUNS for more runs. */
test(
  `${RUNS} random histories end as the model in memory says`,
  async () => {
    let steps = 0;
    const property = fc.asyncProperty(commands, async (history) => {
      const service = await newService();
      const model = new LedgerModel([service.contracts[2]!]);
      await fc.asyncModelRun(() => ({ model, real: service }), history);
      await expectSameBalances(model, service);
      await expectLedgerToBalance(db);
      steps += model.batches.length;
    });
    await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: MS_MAX });
    expect(steps).toBeGreaterThan(RUNS);
  },
  MS_MAX + 30_000,
);
