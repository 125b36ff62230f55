import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { database } from "@/server/kernel/database";
import { SUBMIT_LOCK_SPACE, submitLockKey } from "@/server/ledger/creation-order";
import { batchOf, setRule, times } from "@/testing/factories";
import { lockAccount } from "@/testing/races";
import { callApi } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";

const { db, context, newContract } = useLedger({ serves: true });
beforeAll(() => {
  vi.stubEnv("DATABASE_POOL_MAX", "4");
  vi.stubEnv("DATABASE_TIMEOUT_SECONDS", "1");
});
afterAll(() => vi.unstubAllEnvs());

/** Runs statements in a transaction that stays open. @returns what ends it */
async function holdOpen(run: (tx: typeof db.sql) => Promise<unknown>): Promise<() => Promise<void>> {
  const holder = await db.sql.reserve();
  await holder`begin`;
  await run(holder);
  return async () => {
    await holder`commit`;
    holder.release();
  };
}

/** Keeps every connection of the service busy. */
function takeConnections(): () => Promise<void> {
  let isOver = false;
  const taken = times(3, () =>
    database().sql.begin(async (tx) => {
      while (!isOver) await tx`select pg_sleep(0.02)`;
    }),
  );
  return async () => {
    isOver = true;
    await taken;
  };
}

const OBSTACLES: [what: string, hold: (contract: string) => Promise<() => Promise<void>>][] = [
  ["another transaction holds the account", (contract) => lockAccount(db, contract)],
  [
    "another transaction holds the approval rule",
    async (contract) => {
      await setRule(db, contract, { dayThreshold: "1000" });
      return await holdOpen(
        (tx) =>
          tx`select 1 from approval_rules where contract_address = ${addressToBytes(contract)} for update`,
      );
    },
  ],
  [
    "a reader of the creation order holds the submits' lock",
    (contract) =>
      holdOpen((tx) => {
        const key = submitLockKey(addressToBytes(contract));
        return tx`select pg_advisory_xact_lock(${SUBMIT_LOCK_SPACE}::int, ${key}::int)`;
      }),
  ],
  ["no connection is free", async () => takeConnections()],
];

test.each(OBSTACLES)(
  "submits that waited while %s, and got no answer in time, are never stored",
  async (_, hold) => {
    const contract = await newContract();
    const scopes = ["batches:read" as const, "batches:write" as const];
    const asked = { contractAddress: contract, name: "late", scopes, expiresAt: null };
    const { token } = await createAccessToken(context(), asked);
    const { pointType, transfers } = batchOf(contract, [[1, "1"]]);
    const call = (method: string, at: number, body?: object) =>
      callApi(token, method, `/v1/contracts/${contract}/batches/late-${at}`, body);
    const release = await hold(contract);
    const replies = await times(12, (at) =>
      call("PUT", at, { pointType, transfers, secondsToFinalize: 3600 }),
    );
    await release();
    while (database().work.underWay > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    // Another process, and this one.
    const stored = await db.sql<{ id: string }[]>`
    select id from batches where contract_address = ${addressToBytes(contract)}`;
    expect(stored).toEqual([]);
    for (const [at, { status, body }] of replies.entries()) {
      expect(body.detail).toMatch(/^The database (?:is down or too busy|did not answer in time)\./);
      expect(status).toBeGreaterThanOrEqual(503);
      expect((await call("GET", at)).status).toBe(404);
    }
    const again = await call("PUT", 0, { pointType, transfers, secondsToFinalize: 3600 });
    expect([again.status, again.body.detail]).toEqual([200, undefined]);
  },
);
