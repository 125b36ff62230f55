import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch } from "@/server/batches/change/hold-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { single } from "@/server/kernel/process";
import { settings } from "@/server/kernel/settings";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { LIMITS, nextAddress, setRule, staffContext, wallet } from "@/testing/factories";
import { untilBlocked, whileLocked } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { createPublicCaller } from "./router";
import type { Wallet } from "./schema";

const { db, context, newContract, submit, finalize } = useLedger({ serves: true, poolMax: 3 });
beforeEach(() => {
  Object.assign(settings(), { PUBLIC_RECEIPTS: true, PUBLIC_RATE_LIMIT_PER_MINUTE: 0 });
  forgetWallets();
});
/** What was read is kept for half a minute. */
const forgetWallets = () => single("cached wallets", () => new Map()).clear();

/** As a visitor without sign-in calls it. */
const visitor = (clientAddress = "192.0.2.1") =>
  createPublicCaller({
    db,
    limits: LIMITS,
    requestId: randomUUID(),
    authorization: null,
    clientAddress,
    staff: null,
    replyHeaders: new Headers(),
  });
const read = (address: string, cursor?: string): Promise<Wallet> => {
  forgetWallets();
  return visitor().wallet({ address, cursor });
};
const rowsOf = ({ transfers }: Wallet) =>
  transfers.map(({ batchId, state, points }) => [batchId, state, points]);
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "answered",
    (error: unknown) => {
      const { code, message } = toDomainError(error);
      return `${code}: ${message}`;
    },
  );

test("a wallet shows what it received and will receive over all contracts, pending first and then by credit, with exact sums, and no cancelled batch", async () => {
  const [one, other] = [await newContract(), await newContract()];
  await submit(one, [["0xa1".padEnd(42, "0"), "99999999999999999999999999.99"]], { batchId: "received" });
  await submit(other, [["0xa1".padEnd(42, "0"), "0.000001"]], { batchId: "gold", pointType: "PHASE2_GOLD" });
  await finalize();
  await submit(other, [["0xA1".padEnd(42, "0"), "99999999999999999999999999.99"]], {
    batchId: "expected",
    secondsToFinalize: 3600,
  });
  await submit(other, [["0xa1".padEnd(42, "0"), "0.02"]], { batchId: "soon", secondsToFinalize: 60 });
  const gone = { contractAddress: other, batchId: "gone" };
  await submit(other, [["0xa1".padEnd(42, "0"), "1"]], { batchId: "gone", secondsToFinalize: 3600 });
  expect(rowsOf(await read("0xa1".padEnd(42, "0")))).toHaveLength(5);
  await cancelBatch(context(), { ...gone, reason: "a mistake" });
  const found = await read("0xa1".padEnd(42, "0"));
  const none = { expected: "0", firstDueAt: null, lastDueAt: null, delayed: "0", takenBack: "0" };
  const rest = { ...none, overdue: "0", overdueSince: null, takingBack: "0" };
  const dueAt = (batchId: string) => found.transfers.find((row) => row.batchId === batchId)!.at;
  expect(found.points).toEqual({
    PHASE2_POINTS: {
      ...rest,
      balance: "99999999999999999999999999.99",
      received: "99999999999999999999999999.99",
      expected: "100000000000000000000000000.01",
      firstDueAt: dueAt("soon"),
      lastDueAt: dueAt("expected"),
    },
    PHASE2_GOLD: { ...rest, balance: "0.000001", received: "0.000001" },
  });
  expect(rowsOf(found)).toEqual([
    ["soon", "EXPECTED", "0.02"],
    ["expected", "EXPECTED", "99999999999999999999999999.99"],
    ["gold", "RECEIVED", "0.000001"],
    ["received", "RECEIVED", "99999999999999999999999999.99"],
  ]);
  expect(found.transfers.map(({ contractAddress }) => contractAddress)).toEqual([other, other, other, one]);
  for (const { at, creditedAt } of found.transfers) expect(Date.parse((at ?? creditedAt)!)).not.toBeNaN();
});

test("a batch on hold and one that awaits approval are both delayed, at no known time and outside the sum, and nothing says why", async () => {
  const contract = await newContract();
  const to = wallet(0xb1);
  const key = { contractAddress: contract, batchId: "held" };
  await submit(contract, [[to, "1"]], { batchId: "held", secondsToFinalize: 3600 });
  await holdBatch(staffContext(db), { ...key, reason: "suspicious" });
  await setRule(db, contract, { threshold: "2" });
  for (const batchId of ["large", "both"])
    await submit(contract, [[to, "5"]], { batchId, secondsToFinalize: 3600 });
  await holdBatch(staffContext(db), { ...key, batchId: "both", reason: "suspicious" });
  await submit(contract, [[to, "0.5"]], { batchId: "soon", secondsToFinalize: 3600 });
  const found = await read(to);
  const row = { contractAddress: contract, contractLabel: expect.stringMatching(/^Contract \d+$/) };
  const delayed = { ...row, pointType: "PHASE2_POINTS", state: "DELAYED", at: null };
  const creditedAt = null;
  expect(found.transfers).toEqual([
    {
      ...delayed,
      batchId: "soon",
      points: "0.5",
      creditedAt,
      state: "EXPECTED",
      at: expect.stringMatching(/Z$/),
    },
    { ...delayed, batchId: "both", points: "5", creditedAt },
    { ...delayed, batchId: "large", points: "5", creditedAt },
    { ...delayed, batchId: "held", points: "1", creditedAt },
  ]);
  expect(found.points.PHASE2_POINTS).toMatchObject({ expected: "0.5", delayed: "11" });
  expect(JSON.stringify(found)).not.toMatch(/suspicious|staff|token|held"?:|approv/i);
});

test("a reversal is announced by its sum, its row changes once it is finalized, and neither is in the contract's wallet", async () => {
  const contract = await newContract();
  await submit(contract, [[0xd1, "21"]], { batchId: "kept" });
  await submit(contract, [[0xd1, "10.5"]], { batchId: "paid" });
  await finalize();
  const before = await read(wallet(0xd1));
  await reverseBatch(context(), LIMITS, {
    contractAddress: contract,
    batchId: "paid",
    reversalId: "back",
    secondsToFinalize: 0,
  });
  const announced = await read(wallet(0xd1));
  expect(announced.transfers).toEqual(before.transfers);
  expect(announced.points.PHASE2_POINTS).toEqual({ ...before.points.PHASE2_POINTS, takingBack: "10.5" });
  await finalize();
  const after = await read(wallet(0xd1));
  expect(rowsOf(after)).toEqual([
    ["paid", "TAKEN_BACK", "10.5"],
    ["kept", "RECEIVED", "21"],
  ]);
  const figures = { balance: "21", received: "31.5", takingBack: "0", takenBack: "10.5" };
  expect(after.points.PHASE2_POINTS).toMatchObject(figures);
  const { at, creditedAt } = after.transfers[0]!;
  expect(Date.parse(at!)).toBeGreaterThanOrEqual(Date.parse(creditedAt!));
  expect(await read(contract)).toMatchObject({
    isContract: true,
    transfers: [],
    points: { PHASE2_POINTS: { balance: "0", received: "0", takenBack: "0" } },
  });
});

test("a receipt is for a finalized transfer to this wallet; of any other batch nothing is said", async () => {
  const contractAddress = await newContract();
  const to = wallet(0xf1);
  const ids = { paid: "paid", other: "other", pending: "pending", cancelled: "cancelled" };
  await submit(contractAddress, [[to, "1"]], { batchId: ids.paid });
  await submit(contractAddress, [[0xf2, "1"]], { batchId: ids.other });
  await finalize();
  for (const batchId of [ids.pending, ids.cancelled])
    await submit(contractAddress, [[to, "1"]], { batchId, secondsToFinalize: 3600 });
  await cancelBatch(context(), { contractAddress, batchId: ids.cancelled });
  const receiptOf = (batchId: string, contract = contractAddress) =>
    visitor().receipt({ contractAddress: contract, batchId, address: to });
  expect(await receiptOf(ids.paid)).toMatchObject({ batchId: ids.paid, points: "1", position: 0 });
  const refused = (batchId: string, contract = contractAddress) =>
    `receipt_not_found: No finalized batch ${batchId} of ${contract} pays ${to}.`;
  for (const batchId of [ids.other, ids.pending, ids.cancelled, "unknown"])
    expect(await codeOf(receiptOf(batchId))).toBe(refused(batchId));
  const unknown = nextAddress();
  expect(await codeOf(receiptOf(ids.paid, unknown))).toBe(refused(ids.paid, unknown));
});

test("a wallet is read once for all visitors of half a minute, and visitors are limited per client address", async () => {
  const contract = await newContract();
  const to = wallet(0x1a1);
  const [first, same] = await Promise.all([
    visitor().wallet({ address: to }),
    visitor().wallet({ address: to }),
  ]);
  await submit(contract, [[to, "1"]], { secondsToFinalize: 3600 });
  expect([same, await visitor().wallet({ address: to })]).toEqual([first, first]);

  Object.assign(settings(), { PUBLIC_RATE_LIMIT_PER_MINUTE: 2 });
  const codes: string[] = [];
  for (let sent = 0; sent < 3; sent++) codes.push(await codeOf(visitor("192.0.2.7").wallet({ address: to })));
  expect(codes.map((code) => code.split(":")[0])).toEqual(["answered", "answered", "rate_limited"]);
  const receipt = { contractAddress: contract, batchId: "none", address: to };
  expect(await codeOf(visitor("192.0.2.7").receipt(receipt))).toMatch(/^receipt_not_found/);
  expect(await codeOf(visitor("192.0.2.8").wallet({ address: to }))).toBe("answered");
});

test("visitors do not line up without end behind a slow wallet, and take one connection", async () => {
  const read = (each: number) =>
    codeOf(visitor(`198.51.100.${each}`).wallet({ address: wallet(0x4a0 + each) }));
  let answered = 0;
  let reads: Promise<string>[] = [];
  await whileLocked(db, "recipient_transfers", async () => {
    // One is read, and 20 wait.
    reads = Array.from({ length: 21 }, (_, each) => read(each).finally(() => answered++));
    await untilBlocked(db);
    // Of three connections, one holds the lock and one waits for it.
    await db.sql`select 1`;
    expect(await read(21)).toBe("rate_limited: Many wallets are being read. Retry in 2 seconds.");
    expect(answered).toBe(0);
  });
  for (const outcome of await Promise.all(reads)) expect(outcome).toMatch(/^answered|^rate_limited/);
});
