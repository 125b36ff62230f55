import { afterAll, beforeAll, expect, test } from "vitest";
import { batchOf, newContract, submit, times } from "@/testing/factories";
import { testDatabase } from "@/testing/test-database";
import { catchUpRecipients, indexRecipients } from "./index-recipients";

let db: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

test("one call indexes all batches, even more than fit in one step", async () => {
  const contract = await newContract(db);
  await times(450, () => submit(db, batchOf(contract, [[1, "1"]])));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await catchUpRecipients(db, 10);
  expect(await indexRecipients(db)).toBe(0);
  expect(await db.sql`select count(*)::int as count from recipient_transfers`).toMatchObject([
    { count: 450 },
  ]);
});
