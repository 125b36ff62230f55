import { expect, test } from "vitest";
import { createDatabase } from "@/db/client";
import { testContext } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { encodeCursor } from "../../kernel/cursor";
import { toTimestamp } from "../../kernel/values/batch-rows";
import { listBatches } from "./list-batches";

const { db, context, newContract, submit } = useLedger();

test.each(["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999999999+00:00"])(
  "a bound at the maximum time, %s, lists everything before it",
  async (createdBefore) => {
    const contractAddress = await newContract();
    await submit(contractAddress, [[1, "1"]]);
    expect((await listBatches(context(), { contractAddress, createdBefore })).rows).toHaveLength(1);
  },
);

test.each(["America/New_York", "Asia/Kolkata"])(
  "the times of a batch are in UTC, even if a pooler leaves the session in %s",
  async (zone) => {
    const contractAddress = await newContract();
    await submit(contractAddress, [[1, "1"]]);
    const url = new URL(db.url);
    url.searchParams.set("options", `-c TimeZone=${zone}`);
    const pooled = createDatabase({ url: url.href, poolMax: 1, timeoutSeconds: 10, pooler: "transaction" });
    const timesBy = async (from: Parameters<typeof testContext>[0]) =>
      (await listBatches(testContext(from), { contractAddress })).rows.map(({ createdAt, finalizeAt }) => [
        toTimestamp(createdAt),
        toTimestamp(finalizeAt),
      ]);
    const times = await timesBy(pooled);
    const [session] = await pooled.sql`select now()::text as now`;
    await pooled.close();
    expect(session?.now).not.toMatch(/\+00$/);
    expect(times).toEqual(await timesBy(db));
  },
);

test("a cursor forged beyond the year 9999 is invalid", async () => {
  const contractAddress = await newContract();
  const scope = `contractAddress=${contractAddress}&sort=DESC`;
  const list = (atMs: number) =>
    listBatches(context(), { contractAddress, cursor: encodeCursor({ atMs, seq: 1n }, scope) });
  await expect(list(253_402_300_800_000)).rejects.toMatchObject({ code: "invalid_cursor" });
  expect((await list(253_402_300_799_999)).rows).toEqual([]);
});
