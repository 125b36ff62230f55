import { beforeAll, describe, expect, test } from "vitest";
import { times } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { type BatchQuery, listBatches } from "./list-batches";

const { context, newContract, submit } = useLedger();
let contracts: string[] = [];
const T1 = "2026-03-01T00:00:02Z";
const T2 = "2026-03-01T00:00:05.000Z";

beforeAll(async () => {
  contracts = await times(2, () => newContract());
  for (let i = 0; i < 12; i++) await submit(contracts[0]!, [[1, "1"]]);
});

describe("a cursor", () => {
  const query: BatchQuery = { sort: "DESC", limit: 5, statuses: ["PENDING"], createdAfter: T1 };
  const next = (change: BatchQuery, cursor: string | null) =>
    listBatches(context(), { ...query, contractAddress: contracts[0], ...change, cursor });
  const given = async () => (await next({}, null)).cursor!;

  test("continues with the same filters, in any letter case of the address", async () => {
    const contractAddress = `0x${contracts[0]!.slice(2).toUpperCase()}`;
    expect((await next({ contractAddress, limit: 2 }, await given())).rows).toHaveLength(2);
  });

  test.each([
    ["another contract", () => ({ contractAddress: contracts[1] })],
    ["no contract", () => ({ contractAddress: undefined })],
    ["another sort", () => ({ sort: "ASC" as const })],
    ["another status", () => ({ statuses: ["FINALIZED" as const] })],
    ["another type", () => ({ pointType: "PHASE2_GOLD" as const })],
    ["another bound", () => ({ createdAfter: T2 })],
    ["an additional bound", () => ({ createdBefore: T2 })],
  ])("with %s is a mismatch", async (_, change) => {
    await expect(next(change(), await given())).rejects.toMatchObject({ code: "cursor_mismatch" });
  });

  test.each([
    ["truncated", (cursor: string) => cursor.slice(0, -1)],
    ["doubled", (cursor: string) => cursor + cursor],
    ["moved by one", (cursor: string) => cursor.replace(/\.[0-9a-z]+\./, (seq) => `${seq.slice(0, -1)}0.`)],
    ["empty", () => ""],
    ["plain text", () => "undefined"],
  ])("that is %s is invalid", async (_, edit) => {
    const cursor = await given();
    await expect(next({}, edit(cursor))).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});
