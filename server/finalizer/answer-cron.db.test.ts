import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { database } from "../database";
import { expectLedgerToBalance } from "../testing/expect-ledger-to-balance";
import { batchOf, newContract, submit, times } from "../testing/factories";
import { serveFrom } from "../testing/rest-door";
import { type TestDatabase, testDatabase } from "../testing/test-database";
import { answerCron } from "./answer-cron";

let db: TestDatabase;
let contract: string;
beforeAll(async () => {
  db = await testDatabase();
  serveFrom(db);
  contract = await newContract(db);
});
afterAll(async () => {
  await expectLedgerToBalance(db);
  await database().close();
  await db.drop();
});

const call = (authorization?: string) =>
  answerCron(
    new Request("http://service.test/api/cron/finalize", { headers: authorization ? { authorization } : {} }),
    "request-1",
  );
const RIGHT = "Bearer cron-secret-of-this-test";

describe("the cron route", () => {
  test.each([
    [undefined, "missing_token"],
    ["Bearer wrong", "invalid_token"],
    ["cron-secret-of-this-test", "invalid_token"],
    [`${RIGHT}x`, "invalid_token"],
    ["Bearer ", "invalid_token"],
  ])("with %j finalizes nothing: %s", async (authorization, code) => {
    await submit(db, batchOf(contract, [[1, "1"]]));
    const reply = await call(authorization);
    expect([reply.status, reply.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await reply.json()).toMatchObject({ success: false, code, requestId: "request-1" });
    const [due] = await db.sql<
      { count: number }[]
    >`select count(*)::int as count from batches where status = 'FINALIZED'`;
    expect(due!.count).toBe(0);
  });

  test("says what it did and what is left, and does nothing the second time", async () => {
    const first = (await (await call(RIGHT)).json()) as object;
    expect(first).toMatchObject({
      success: true,
      batchesFinalized: 5,
      transfersSettled: 5,
      dueLeft: 0,
      failure: null,
    });
    expect(await (await call("bearer cron-secret-of-this-test")).json()).toMatchObject({
      batchesFinalized: 0,
      dueLeft: 0,
    });
  });

  test("twenty calls at once finalize each batch once", async () => {
    await times(40, (i) =>
      submit(
        db,
        batchOf(contract, [
          [1, "1"],
          [100 + i, "2"],
        ]),
      ),
    );
    const runs = await times(
      20,
      async () => (await (await call(RIGHT)).json()) as { batchesFinalized: number },
    );
    expect(runs.reduce((sum, run) => sum + run.batchesFinalized, 0)).toBe(40);
  });
});
