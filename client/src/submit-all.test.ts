import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { formatPoints, sumPoints } from "../../terms/points";
import { batchDigest } from "./digest.ts";
import type { NewBatch } from "./shapes.ts";
import { type PayoutPart, planPayout } from "./submit-all.ts";
import { ok, problem, runCall, type Step } from "./testing/scripted-fetch.ts";

const CONTRACT = "0xC0";
const wallet = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const listOf = (...amounts: string[]): NewBatch => ({
  pointType: "PHASE2_POINTS",
  transfers: amounts.map((points, at) => ({ toAddress: wallet(at + 1), points })),
});
const amount = fc.bigInt({ min: 1n, max: 10n ** 30n }).map(formatPoints);

test("a plan has every transfer once, in order, and parts whose totals add up exactly", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(amount, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 15 }),
      async (amounts, size) => {
        const payout = listOf(...amounts);
        const parts = await planPayout(CONTRACT, payout, { transfersMax: size });
        expect(parts.flatMap(({ batch }) => batch.transfers)).toEqual(payout.transfers);
        expect(parts.length).toBe(Math.ceil(amounts.length / size));
        expect(sumPoints(parts.map(({ points }) => points))).toBe(sumPoints(amounts));
      },
    ),
  );
});

test("a plan pays an address once in a part, if its transfers have references", async () => {
  const invoices = fc.array(fc.nat(5), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(invoices, fc.integer({ min: 1, max: 7 }), async (given, transfersMax) => {
      const payout = listOf(...given.map(() => "1"));
      for (const [at, transfer] of payout.transfers.entries())
        Object.assign(transfer, { toAddress: wallet(given[at]! + 1), reference: `r${at}` });
      for (const { batch } of await planPayout(CONTRACT, payout, { transfersMax }))
        expect(new Set(batch.transfers.map(({ toAddress }) => toAddress)).size).toBe(batch.transfers.length);
    }),
  );
});

test("transfers to one address without references stay in one part, for the service to refuse", async () => {
  const payout = listOf("1", "2");
  payout.transfers[1]!.toAddress = wallet(1);
  expect(await planPayout(CONTRACT, payout)).toHaveLength(1);
});

test("ids come from amounts, type and contract, not from order, wait or letter case", async () => {
  const idOf = async (payout: NewBatch, contract = CONTRACT) =>
    (await planPayout(contract, payout))[0]?.batchId;
  const list = listOf("1", "2");
  const same = {
    ...list,
    secondsToFinalize: 7,
    transfers: [...list.transfers].reverse().map(({ toAddress, points }) => ({
      toAddress: toAddress.toUpperCase().replace("X", "x"),
      points: `${points}.0`,
    })),
  };
  const id = await idOf(list);
  expect(id).toMatch(/^payout-[0-9a-f]{32}\.001$/);
  expect(await idOf(same)).toBe(id);
  const others = [idOf(listOf("1", "3")), idOf({ ...list, pointType: "PHASE2_GOLD" }), idOf(list, "0xC1")];
  expect(await Promise.all(others)).not.toContain(id);
});

test("the ID prefix names each part, also of a list of one, and the payout; it is not part of the digest", async () => {
  const planned = async (list: NewBatch, transfersMax: number) => {
    const parts = await planPayout(CONTRACT, list, { idPrefix: "may", transfersMax });
    return parts.map(({ batchId, batch }) => `${batchId} of ${batch.payoutId}`);
  };
  const list = listOf("1", "2");
  expect(await planned(list, 2)).toEqual(["may.001 of may"]);
  expect(await planned(list, 1)).toEqual(["may.001 of may", "may.002 of may"]);
  expect(await planned({ ...list, payoutId: "season" }, 2)).toEqual(["may.001 of season"]);
  const [part] = await planPayout(CONTRACT, list, { idPrefix: "may" });
  expect(part!.digest).toBe(await batchDigest(CONTRACT, list));
});

test.each(["", ".", "..", "a b", "ä", "x".repeat(57)])("%j begins no ID", async (idPrefix) => {
  await expect(planPayout(CONTRACT, listOf("1"), { idPrefix })).rejects.toMatchObject({
    name: "InvalidArgument",
  });
});

test.each(["1e3", "-1", "01", "1.", "1.0000000000001"])("%s is no amount", async (points) => {
  await expect(planPayout(CONTRACT, listOf(points))).rejects.toThrow(`"${points}" is not an amount`);
});

const FUNDS = { availableBefore: "0", issued: "3" };
const dry = ({ digest }: PayoutPart, replayed = false) =>
  ok({ dryRun: true, replayed, digest, finalizeAt: "2026-01-31T12:00:00.000Z", ...FUNDS });
const stored = ({ batch, batchId, digest }: PayoutPart, more: object = {}) =>
  ok({
    batch: {
      ...batch,
      id: batchId,
      contractAddress: CONTRACT,
      digest,
      createdAt: "2026-01-31T11:00:00.000Z",
      finalizeAt: "2026-01-31T12:00:00.000Z",
      ...more,
    },
  });
/** With a cancelled batch before them. */
const payoutOf = (batchCount: number, ...ids: string[]) => {
  const parts = ids.map((id) => ({ id, points: "500", status: "PENDING" }));
  const cancelled = { id: "r.009", points: "500", status: "CANCELLED" };
  return ok({ payout: { parts: [cancelled, ...parts], batchCount, counts: { cancelled: 1 } } });
};
const submitted = ({ batchId }: PayoutPart) => ok({ batchId });
const firstRun = () => problem(404, "payout_not_found");
/** Of each part and, after the look at the payout, of the sum. */
const dryRuns = (a: PayoutPart, b: PayoutPart) => [dry(a), dry(b), firstRun(), dry(a)];

/** Of two rows for one recipient. */
async function runAll(steps: (parts: PayoutPart[]) => Step[], confirm?: () => boolean) {
  vi.useFakeTimers();
  const list = listOf("1", "2");
  for (const [at, toAddress] of [wallet(0xa), wallet(0xa).replace("a", "A")].entries())
    Object.assign(list.transfers[at]!, { toAddress, reference: `r${at}` });
  const parts = await planPayout(CONTRACT, list, { idPrefix: "r", transfersMax: 1 });
  const result = await runCall((client) => client.submitAll(parts, { confirm }), steps(parts), {
    contractAddress: CONTRACT,
  });
  vi.useRealTimers();
  return {
    ...result,
    states: parts.map(({ state }) => state),
    sent: result.requests.map(({ method, url }) => `${method} ${url.split(/\/batches|0xC0/).at(-1)}`),
  };
}

test("every part is dry-run, then the sum, before the first is sent; then each is read back", async () => {
  const confirm = vi.fn(() => true);
  const { states, sent, error, requests } = await runAll(
    ([a, b]) => [...dryRuns(a!, b!), submitted(a!), submitted(b!), stored(a!), stored(b!)],
    confirm,
  );
  expect(confirm).toHaveBeenCalledWith({ available: "0", needed: "3", issued: "3", recipients: 1 });
  expect({ states, error }).toEqual({ states: ["verified", "verified"], error: undefined });
  expect(sent).toEqual([
    "PUT /r.001?dryRun=true",
    "PUT /r.002?dryRun=true",
    "GET /payouts/r",
    "POST ?dryRun=true",
    "PUT /r.001",
    "PUT /r.002",
    "GET /r.001",
    "GET /r.002",
  ]);
  expect(JSON.parse(requests[3]!.body!).transfers).toEqual([{ toAddress: wallet(0xa), points: "3" }]);
});

test("what an earlier run stored is not sent again", async () => {
  const { states, sent } = await runAll(([a, b]) => [
    ...[dry(a!, true), dry(b!), payoutOf(2, "r.001"), dry(b!)],
    ...[submitted(b!), stored(a!), stored(b!)],
  ]);
  expect(states).toEqual(["verified", "verified"]);
  expect(sent).not.toContain("PUT /r.001");
});

test.each([
  ["r.002-2", 3, null],
  ["r.003", 3, ": r.003, 500"],
  ["r-1", 3, ": r-1, 500"],
  ["r.002", 4, ""],
])("a payout of the same name with %s, %i batches and more than the list: %j", async (id, count, others) => {
  const { error, requests } = await runAll(([a, b]) => [
    ...[dry(a!, true), dry(b!, true), payoutOf(count, "r.001", id)],
    ...(others === null ? [stored(a!), stored(b!)] : []),
  ]);
  const message = `The payout r has 1 batch that this list does not have${others}. Nothing was sent.`;
  expect(error?.message).toBe(others === null ? undefined : message);
  expect(requests).toHaveLength(others === null ? 5 : 3);
});

test("a refused dry run or an answer of no sends nothing", async () => {
  const refused = await runAll(([a]) => [dry(a!), problem(409, "batch_id_conflict")]);
  expect(refused).toMatchObject({
    states: ["ready", "refused"],
    error: { code: "batch_id_conflict", batchId: "r.002" },
  });
  const declined = await runAll(
    ([a, b]) => dryRuns(a!, b!),
    () => false,
  );
  expect(declined).toMatchObject({ states: ["ready", "ready"], error: undefined });
});

test("after a refusal mid-way, the states say what is stored", async () => {
  const { states, error } = await runAll(([a, b]) => [
    ...dryRuns(a!, b!),
    submitted(a!),
    problem(422, "insufficient_points"),
  ]);
  expect(states).toEqual(["stored", "refused"]);
  expect(error).toMatchObject({ code: "insufficient_points", batchId: "r.002" });
});

test("a part stays in doubt when a lost reply was followed by a refusal", async () => {
  const { states } = await runAll(([a, b]) => [
    ...dryRuns(a!, b!),
    new Response("{", { headers: { "Content-Type": "application/json" } }),
    problem(403, "missing_scope"),
  ]);
  expect(states).toEqual(["sending", "ready"]);
});

test("other content than was sent is an error, whatever digest it claims", async () => {
  const transfers = [{ toAddress: wallet(9), points: "1" }];
  const { error, states } = await runAll(([a, b]) => [
    ...dryRuns(a!, b!),
    submitted(a!),
    submitted(b!),
    stored(a!, { transfers }),
  ]);
  expect(states).toEqual(["stored", "stored"]);
  expect(error).toMatchObject({ name: "UnexpectedReply", batchId: "r.001" });
});
