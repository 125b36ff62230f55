import { expect, test } from "vitest";
import { times } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { catchUpRecipients, indexRecipients } from "./index-recipients";

const { db, newContract, submit } = useLedger();

test("one call indexes all batches, even more than fit in one step", async () => {
  const contract = await newContract();
  await times(450, () => submit(contract, [[1, "1"]]));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await catchUpRecipients(db, 10);
  expect(await indexRecipients(db)).toBe(0);
  expect(await db.sql`select count(*)::int as count from recipient_transfers`).toMatchObject([
    { count: 450 },
  ]);
});
