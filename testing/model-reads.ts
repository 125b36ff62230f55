import fc from "fast-check";
import { expect } from "vitest";
import type { Database } from "@/db/client";
import { listBatches } from "@/server/batches/list/list-batches";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { formatPoints } from "@/server/kernel/values/points";
import { indexRecipients } from "@/server/recipients/index-recipients";
import { balance, testContext, wallet } from "./factories";
import type { LedgerModel, ModelStatus } from "./model";

/** The service under test, with this run's own contracts and wallets. */
export interface Service {
  db: Database;
  contracts: readonly string[];
  /** The run's first wallet. */
  wallets: number;
}

export interface Step {
  label: string;
  run(model: LedgerModel, service: Service): Promise<void>;
}

export const contractIndex = fc.nat(2);
export const pointType = fc.constantFrom<PointType>(...POINT_TYPES);
const tick = () => new Promise((resolve) => setTimeout(resolve, 2));

const statuses = fc.constantFrom<ModelStatus | undefined>(undefined, "PENDING", "CANCELLED", "FINALIZED");
export const list = fc
  .record({
    contractIndex,
    status: statuses,
    pointType: fc.option(pointType, { nil: undefined }),
    to: fc.option(fc.nat(4), { nil: undefined }),
    sort: fc.constantFrom<"ASC" | "DESC">("ASC", "DESC"),
    limit: fc.integer({ min: 1, max: 5 }),
  })
  .map(
    (given): Step => ({
      label: `list(${JSON.stringify(given)})`,
      async run(model, { db, contracts, wallets }) {
        await tick();
        const contractAddress = contracts[given.contractIndex]!;
        const recipient = given.to === undefined ? undefined : wallet(wallets + given.to);
        const filters = {
          contractAddress,
          pointType: given.pointType,
          recipient,
          ...(given.status && { statuses: [given.status] }),
        };
        const shown: string[] = [];
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = await listBatches(testContext(db), {
            ...filters,
            sort: given.sort,
            limit: given.limit,
            cursor,
          });
          shown.push(...page.rows.map((row) => `${row.id} ${row.status}`));
          cursor = page.cursor;
        }
        const expected = model.batches
          .filter((batch) => batch.contract === contractAddress)
          .filter((batch) => !given.status || batch.status === given.status)
          .filter((batch) => !given.pointType || batch.pointType === given.pointType)
          .filter((batch) => !recipient || batch.rows.some(([to]) => to === recipient))
          .map((batch) => `${batch.id} ${batch.status}`);
        expect(shown).toEqual(given.sort === "ASC" ? expected : expected.reverse());
      },
    }),
  );

export const index = fc.constant<Step>({
  label: "index recipients",
  async run(_, { db }) {
    await indexRecipients(db);
  },
});

/** Compares every balance of the model with the service's. */
export async function expectSameBalances(model: LedgerModel, { db }: Service): Promise<void> {
  for (const [key, account] of model.accounts) {
    const [address, type] = key.split(" ") as [string, PointType];
    expect(await balance(db, address, type), key).toEqual({
      available: formatPoints(model.available(address, type)),
      pendingSent: formatPoints(account.pending),
      earnedCumulative: formatPoints(account.earned),
      receivedCumulative: formatPoints(account.received),
      finalizedSentCumulative: formatPoints(account.sent),
    });
  }
}

export const look = fc.constant<Step>({ label: "look at balances", run: expectSameBalances });
