import { randomUUID } from "node:crypto";
import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createDatabase } from "@/db/client";
import { removeAllocationsOf } from "@/server/allocations/delete-allocation";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { settings } from "@/server/kernel/settings";
import { isDistributed } from "@/server/kernel/shards";
import { checkLedger, runCheck } from "@/server/ledger/run-check";
import { CHECKS } from "@/server/operations/self-check";
import { createPublicCaller } from "@/server/receipts/router";
import { deleteSnapshot } from "@/server/snapshots/delete-snapshot";
import { snapshotBytes } from "@/server/snapshots/snapshot-text";
import { constraintOf, refusalOf } from "@/testing/expectations";
import { statementsOf } from "@/testing/explain";
import {
  allocationOf,
  batchOf,
  LIMITS,
  newPerson,
  publicContext,
  setRule,
  snapshotOf,
  staffContext,
  times,
  wallet,
  withoutTriggers,
} from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { deleteAllocation } from "./delete-allocation";
import { allocationFile } from "./files/allocation-file";
import { getClaim, listWalletClaims } from "./get-claim";
import { getAllocation, listAllocations } from "./list-allocations";
import { referenceOf } from "./list-payments";
import { makeAllocations } from "./make-allocation";
import { publishAllocation } from "./publish-allocation";
import { requestAllocation } from "./request-allocation";
import { ALLOCATIONS_MAX, type AllocationOut, EXCLUDED_MAX, RequestAllocationInput } from "./schema";

const { db, context, newContract, submit, finalize } = useLedger();

const ANN = "ann@example.com";
const BEN = "ben@example.com";

let contractAddress: string;
let snapshotId: string;
beforeAll(async () => {
  contractAddress = await newContract();
  await submit(contractAddress, [
    [1, "10.5"],
    [2, "2"],
    [3, "0.25"],
  ]);
  await finalize();
});
beforeEach(async () => {
  // After each test every allocation that there is is checked.
  await withoutTriggers(db, "truncate allocations, allocation_claims, allocation_nodes");
  ({ id: snapshotId } = await snapshotOf(db, { contractAddress, pointType: "PHASE2_POINTS" }));
});

const TOTAL = { rule: "PRO_RATA", total: "1000", decimals: 18 } as const;
const FIXED = { rule: "FIXED_RATE", decimals: 18 } as const;
const ruleOf = (change: object) =>
  ({ snapshotId, ...("rate" in change ? FIXED : TOTAL), ...change }) as typeof TOTAL & { snapshotId: string };
let names = 0;
const made = (change: object = {}) =>
  allocationOf(db, { name: `Season ${++names}`, ...ruleOf(change) }, staffContext(db, ANN));
const published = async (change: object = {}) =>
  publishAllocation(staffContext(db, BEN), { allocationId: (await made(change)).id });
const claimOf = (allocationId: string, number: number) =>
  getClaim(context(), { allocationId, address: wallet(number) });
const inUpperCase = (number: number) => wallet(number).toUpperCase().replace("0X", "0x");
const stored = async () => {
  const [row] = await db.sql`select (select count(*)::int from allocations) as allocations,
    (select count(*)::int from allocation_claims) as claims,
    (select count(*)::int from allocation_nodes) as nodes`;
  return row!;
};
const actionsOf = async ({ id }: AllocationOut) =>
  (await db.sql`select action from audit_log where target = ${`allocation:${id}`} order by id`).map(
    ({ action }) => action as string,
  );

test("an allocation is previewed, requested, made, published and listed in the console", async () => {
  const { allocations } = callerOf(db, "admin");
  const rule = { snapshotId, ...TOTAL };
  const before = await stored();
  const { leftOut, ...figures } = await allocations.preview({ ...rule, excluded: [wallet(99)] });
  expect(leftOut).toEqual({ addresses: 1, holders: 0, points: "0", unknown: [wallet(99)], hasZero: false });
  expect(figures).toEqual({
    ...{ claims: 3, withoutClaim: 0, sum: "1000", dust: "2" },
    ...{ smallest: "20", median: "157", largest: "823" },
  });
  expect(await stored()).toEqual(before);
  const requested = await allocations.request({ ...rule, name: "Season 1" });
  expect(requested).toMatchObject({ status: "RUNNING", claims: null, roots: null, total: "1000" });
  await makeAllocations(db);
  const ready = await allocations.get({ allocationId: requested.id });
  expect(ready).toMatchObject({ ...figures, status: "READY", publishedAt: null, needsSecondPerson: false });
  const done = await allocations.publish({ allocationId: ready.id });
  expect(done).toMatchObject({ ...figures, publishedBy: "staff:admin@example.com" });
  expect(await allocations.list({ snapshotId })).toEqual([done]);
  expect(await actionsOf(done)).toEqual(["allocation.make", "allocation.publish"]);
});

test("claims have a proof that OpenZeppelin verifies, and the tree is the one that it makes", async () => {
  const { id: allocationId, roots } = await published();
  const claims = await times(3, (at) => getClaim(context(), { allocationId, address: inUpperCase(at + 1) }));
  const values = claims.map(({ address, amount }): [string, string] => [address, amount]);
  const tree = StandardMerkleTree.of(values, ["address", "uint256"]);
  expect(roots!.openzeppelin).toBe(tree.root);
  for (const [at, { root, proof, index, position }] of claims.entries()) {
    expect([root, index]).toEqual([tree.root, at]);
    expect(proof).toEqual(tree.getProof(at));
    expect(tree.dump().values[at]!.treeIndex).toBe(position);
  }
  expect(claims.map(({ tokens }) => tokens)).toEqual([
    "0.000000000000000823",
    "0.000000000000000157",
    "0.00000000000000002",
  ]);
});

test("a claim in any packed row is found, and a neighbour's address is not", async () => {
  const contract = await newContract();
  for (const first of [0, 2000])
    await submit(
      contract,
      Array.from({ length: first === 0 ? 2000 : 1 }, (_, at) => [10 * (first + at + 1), "1"] as const),
    );
  await finalize();
  const { id } = await snapshotOf(db, { contractAddress: contract, pointType: "PHASE2_POINTS" });
  const { id: allocationId, claims } = await published({ snapshotId: id, total: "2001" });
  expect(claims).toBe(2001);
  for (const index of [0, 999, 1000, 1999, 2000])
    expect(await claimOf(allocationId, 10 * (index + 1))).toMatchObject({
      ...{ index, amount: "1", proof: expect.objectContaining({ length: expect.any(Number) }) },
    });
  for (const number of [1, 9, 10_001, 20_011])
    expect((await refusalOf(claimOf(allocationId, number))).code).toBe("claim_not_found");
});

describe("an allocation is refused with the reason, and nothing is stored:", () => {
  const BELOW = /Everybody's share is below the minimum/;
  const cases: [string, object, RegExp][] = [
    ["a minimum that the total is not enough for", { total: "100", minimum: "83" }, BELOW],
    [
      "everybody left out",
      { excluded: [1, 2, 3].map(wallet) },
      /Nobody would get anything\. Every holder of the snapshot is left out/,
    ],
    ["a rate that gives nobody a unit", { rate: "0.01", decimals: 2, minimum: "11" }, BELOW],
    [
      "a sum that no token can have",
      { rate: "1".padEnd(77, "0"), decimals: 0 },
      /is too large: a token has less than 2\^256/,
    ],
  ];
  test.each(cases)("%s", async (_, change, reason) => {
    const { allocations } = callerOf(db, "operator");
    const rule = ruleOf(change);
    await expect(allocations.preview(rule)).rejects.toThrow(reason);
    const before = await stored();
    await expect(allocations.request({ ...rule, name: "x" })).rejects.toThrow(reason);
    expect(await stored()).toEqual(before);
    // Where finding out takes too long for a request, the worker refuses it.
    const failed = await made(change);
    expect(failed).toMatchObject({ status: "FAILED", claims: null, roots: null });
    expect(failed.failure).toMatch(reason);
    const left = await db.sql`
      select 1 from allocation_claims where allocation_id = ${snapshotBytes(failed.id)}`;
    expect(left).toHaveLength(0);
    const refusal = await refusalOf(publishAllocation(staffContext(db, BEN), { allocationId: failed.id }));
    expect(refusal.message).toBe("The allocation is FAILED. Only one that is READY can be published.");
  });

  const badFields: [string, object, string][] = [
    ["more decimals than 36", { decimals: 37 }, "/decimals"],
    ["negative decimals", { decimals: -1 }, "/decimals"],
    ["a total of 0", { total: "0" }, "/total"],
    ["a total with a point", { total: "1.5" }, "/total"],
    ["a total of 2^256", { total: String(2n ** 256n) }, "/total"],
    ["a minimum of 0", { minimum: "0" }, "/minimum"],
    ["a rate of 0", { rate: "0.0" }, "/rate"],
    ["a rate that is no number", { rate: "1e3" }, "/rate"],
    ["more decimals than points have", { payer: "PHASE2_GOLD", decimals: 13 }, "/decimals"],
    ["a payer that is none", { payer: "BANK" }, "/payer"],
    ["no rule", { rule: "EQUAL" }, "/rule"],
    ["a total beside a rate", { rate: "1", total: "1" }, "/"],
    ["no name", { name: " " }, "/name"],
    ["an excluded address that is none", { excluded: [wallet(1), "0x12", wallet(2)] }, "/excluded/1"],
    [
      "an excluded address with a wrong digit",
      { excluded: [wallet(1), wallet(2), "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"] },
      "/excluded/2",
    ],
    [
      "too many excluded addresses",
      { excluded: Array.from({ length: EXCLUDED_MAX + 1 }, (_, at) => wallet(at + 1)) },
      "/excluded",
    ],
    ["a snapshot's ID that is none", { snapshotId: "1" }, "/snapshotId"],
  ];
  test.each(badFields)("%s", async (_, change, pointer) => {
    const before = await stored();
    const input = { name: "Season 1", ...ruleOf(change) };
    const refusal = await callerOf(db, "operator")
      .allocations.request(input)
      .then(
        () => null,
        (error: unknown) => error as { cause: { issues: { path: PropertyKey[] }[] } },
      );
    expect(refusal!.cause.issues.map(({ path }) => `/${path.join("/")}`)).toEqual([pointer]);
    expect(await stored()).toEqual(before);
  });

  test("a snapshot that is not there, or not TAKEN", async () => {
    const [running] = await db.sql<{ id: string }[]>`
      insert into snapshots (id, name, point_type, includes_contracts, as_of, requested_by, contract_address)
      values (gen_random_uuid(), 'x', 'PHASE2_GOLD', false, now(), 'ops', ${addressToBytes(contractAddress)})
      returning id`;
    const { allocations } = callerOf(db, "operator");
    const before = await stored();
    for (const id of [running!.id, randomUUID()]) {
      const input = { snapshotId: id, name: "x", ...TOTAL };
      await expect(allocations.request(input)).rejects.toThrow(/There is no snapshot .* that is TAKEN/);
      await expect(allocations.preview({ snapshotId: id, ...TOTAL })).rejects.toThrow(/that is TAKEN/);
    }
    expect(await stored()).toEqual(before);
    await db.sql`delete from snapshots where id = ${running!.id}::uuid`;
  });

  test("one with the name of another one of the snapshot, unless that failed", async () => {
    const { allocations } = callerOf(db, "operator");
    const failed = await made({ name: "Drop", total: "1", minimum: "2" });
    expect(failed.status).toBe("FAILED");
    const input = { snapshotId, name: "Drop", ...TOTAL };
    await allocations.request(input);
    const before = await stored();
    const refusal = await refusalOf(requestAllocation(context("ops"), RequestAllocationInput.parse(input)));
    expect(refusal).toMatchObject({
      message: "The snapshot already has an allocation named “Drop”. Choose another name.",
      options: { errors: [{ pointer: "/name", code: "invalid_value" }] },
    });
    expect(await stored()).toEqual(before);
    const other = await snapshotOf(db, { contractAddress, pointType: "PHASE2_POINTS" });
    expect(await allocations.request({ ...input, snapshotId: other.id })).toMatchObject({ name: "Drop" });
    await makeAllocations(db);
  });

  test("one more than are kept of a snapshot", async () => {
    const input = RequestAllocationInput.parse({ snapshotId, name: "x", ...TOTAL });
    await db.sql`
      insert into allocations (id, snapshot_id, name, rule, total, decimals, minimum, excluded, status,
        requested_by, finished_at, failure)
      select gen_random_uuid(), ${snapshotId}::uuid, 'old', 'PRO_RATA', 1, 0, 1, '', 'FAILED', 'ops', now(), 'old'
      from generate_series(1, ${ALLOCATIONS_MAX}::int)`;
    const refusal = await refusalOf(requestAllocation(context("ops"), input));
    expect(refusal.message).toMatch(/already has 100 allocations, which is the limit\. Delete one first\.$/);
    await deleteSnapshot(context("ops"), { snapshotId }, removeAllocationsOf);
  });
});

test("addresses that are left out get nothing, in any letter case and however often they are named", async () => {
  const excluded = [wallet(1), inUpperCase(1), wallet(77)];
  const allocation = await published({ excluded });
  expect(allocation).toMatchObject({ excluded: 2, claims: 2, withoutClaim: 1, sum: "1000" });
  expect((await refusalOf(claimOf(allocation.id, 1))).code).toBe("claim_not_found");
  const largest = await callerOf(db, "viewer").allocations.largest({ allocationId: allocation.id });
  expect(largest.map(({ points, amount }) => `${points} ${amount}`)).toEqual(["2 889", "0.25 111"]);
});

test("a fixed rate gives every holder its points times the rate, rounded down", async () => {
  const allocation = await made({ rate: "0.7", decimals: 1 });
  expect(allocation).toMatchObject({
    ...{ total: null, rate: "0.7", claims: 3, sum: "88", dust: "1" },
    ...{ smallest: "1", median: "14", largest: "73" },
  });
});

test("what is paid in points has at least the smallest transfer, and never changes its payer", async () => {
  const { id, ...allocation } = await made({ payer: "PHASE2_POINTS", decimals: 3, total: "100" });
  expect(allocation).toMatchObject({ payer: "PHASE2_POINTS", minimum: "10", claims: 2, smallest: "16" });
  const changed = db.sql`update allocations set payer = 'SAFE' where id = ${id}::uuid`;
  expect(await constraintOf(changed)).toBe("allocations_immutable");
  const low = made({ payer: "PHASE2_POINTS", decimals: 12, minimum: "9999999999" });
  expect((await refusalOf(low)).message).toBe(
    "The minimum must be at least 0.01, since no transfer has less.",
  );
});

test("the zero address is left out, and the allocation says so; one claim has no root for Sablier", async () => {
  const address = await newContract();
  await submit(address, [
    [0, "5"],
    [1, "1"],
  ]);
  await finalize();
  const { id } = await snapshotOf(db, { contractAddress: address, pointType: "PHASE2_POINTS" });
  const { leftOut } = await callerOf(db, "operator").allocations.preview(ruleOf({ snapshotId: id }));
  expect(leftOut).toEqual({ addresses: 1, holders: 1, points: "5", unknown: [], hasZero: true });
  const allocation = await made({ snapshotId: id, excluded: [wallet(9)] });
  expect(allocation).toMatchObject({ claims: 1, excluded: 2, leavesOutZero: true, roots: { sablier: null } });
  expect(await made()).toMatchObject({ leavesOutZero: false });
});

test("allocations of the same holdings are listed of all their snapshots, published ones first", async () => {
  const [later, kept] = [await made(), await published()];
  const { id } = await snapshotOf(db, { contractAddress, pointType: "PHASE2_POINTS", name: "Later" });
  const newest = await made({ snapshotId: id });
  const { allocations } = callerOf(db, "viewer");
  const listed = await allocations.list({ contractAddress, pointType: "PHASE2_POINTS" });
  const own = listed.filter((each) => [later, kept, newest].some((one) => one.id === each.id));
  expect(own).toEqual([kept, newest, later]);
  expect(own[1]).toMatchObject({ snapshotId: id, snapshotName: "Later" });
  expect(await allocations.list({ contractAddress, pointType: "PHASE2_GOLD" })).toEqual([]);
  const overall = await allocations.list({ contractAddress: null });
  expect(overall.filter(({ contractAddress: of }) => of !== null)).toEqual([]);
});

test("what pays a snapshot's allocations is listed by contract and payout, unless it is cancelled", async () => {
  const { id: allocationId } = await published({ decimals: 2 });
  const { content } = await allocationFile(context("ops"), { allocationId, form: "pay" });
  let file = "";
  for await (const chunk of content) file += chunk;
  const rows = file
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((row) => row.split(",") as [string, string, string]);
  const { allocations } = callerOf(db, "viewer");
  expect(await allocations.payments({ allocationId })).toEqual([]);
  const [one, other] = [await newContract(), await newContract()];
  const pay = (contract: string, batchId: string, of: typeof rows, payoutId?: string) =>
    submitBatch(context(), LIMITS, {
      ...{ ...batchOf(contract, of, { batchId, secondsToFinalize: payoutId ? 0 : 60 }), payoutId },
    });
  for (const [at, row] of rows.entries()) await pay(one, `part-${at}`, [row], "drop");
  await finalize();
  const reversal = { contractAddress: one, batchId: "part-1", reversalId: "back", secondsToFinalize: 0 };
  await reverseBatch(context(), LIMITS, reversal);
  await finalize();
  await pay(other, "wrong", rows);
  await cancelBatch(context(), { contractAddress: other, batchId: "wrong" });
  const [, bySecond, byThird] = rows;
  await pay(other, "mixed", [bySecond!, byThird!, [wallet(9), "7", `${randomUUID().slice(0, 8)}:x`]]);
  const [, reference] = [bySecond![1], bySecond![2]];
  await pay(await newContract(), "own", [[wallet(9), "7", `${reference.slice(0, 16)}:order-7`]]);

  const paid = await allocations.payments({ allocationId });
  expect(paid).toMatchObject([
    {
      ...{ contractAddress: other, payoutId: null, batchId: "mixed", holders: 2, transferCount: 3 },
      ...{ points: "8.77", takenBack: "0", stored: 1, counts: { pending: 1, finalized: 0 } },
    },
    {
      ...{ contractAddress: one, payoutId: "drop", batchId: "part-0", holders: 3, transferCount: 3 },
      ...{ points: "10", takenBack: "1.57", stored: 3, counts: { pending: 0, finalized: 3 } },
    },
  ]);
  expect(await allocations.payments({ reference })).toEqual(paid);
  // References name the snapshot, so a contract that paid one of its allocations can pay no other.
  expect(await allocations.payments({ allocationId: (await made()).id })).toEqual(paid);
});

test("a wallet's claim says who pays it out, and whether it is of tokens, points or gold", async () => {
  const payers = [undefined, "SAFE", "PHASE2_POINTS", "PHASE2_GOLD"];
  for (const payer of payers) await published({ rate: "1", decimals: 6, payer });
  const claims = (await listWalletClaims(context("anyone"), { address: wallet(1) })).slice(0, 4);
  expect(claims.map(({ payer, unit }) => unit ?? payer)).toEqual([...payers.slice(1).toReversed(), null]);
});

test("a wallet's claims in all published allocations are read by one statement", async () => {
  const [one, other] = [await published({ rate: "2" }), await published({ rate: "3" })];
  const read = (number: number, on = db) =>
    listWalletClaims({ ...context("anyone"), db: on }, { address: wallet(number) });
  const { sent } = await statementsOf(db.url, (sql) => read(1, { ...db, sql }));
  const reading = sent.filter(({ text }) => text.includes("from allocation_claims"));
  if (!(await isDistributed(db))) expect(reading).toHaveLength(1);
  const ids = (await read(1)).map(({ allocationId }) => allocationId);
  expect(ids).toEqual(expect.arrayContaining([one.id, other.id]));
  expect(await read(0xdead)).toEqual([]);
});

test("a wallet's claim says what pays it in points, until that is cancelled or taken back", async () => {
  const allocation = await published({ decimals: 2 });
  const claimed = async (number: number) =>
    (await listWalletClaims(context("anyone"), { address: wallet(number) })).find(
      ({ allocationId }) => allocationId === allocation.id,
    )!;
  const { tokens } = await claimed(2);
  const payer = await newContract();
  const pay = (batchId: string, points: string, to = 2) =>
    submitBatch(context(), LIMITS, {
      ...batchOf(payer, [[wallet(to), points, referenceOf(allocation, wallet(2))]], { batchId }),
      pointType: "PHASE2_GOLD",
    });
  expect(await claimed(2)).toMatchObject({ paid: null });
  await pay("another-amount", "99");
  expect(await claimed(2)).toMatchObject({ paid: null });
  await cancelBatch(context(), { contractAddress: payer, batchId: "another-amount" });
  await pay("another-wallet", tokens, 3);
  expect(await claimed(2)).toMatchObject({ paid: null });
  await cancelBatch(context(), { contractAddress: payer, batchId: "another-wallet" });
  await pay("right", tokens);
  expect(await claimed(2)).toMatchObject({ tokens, paid: { pointType: "PHASE2_GOLD", at: null } });
  await finalize();
  const { paid } = await claimed(2);
  expect(Date.parse(paid!.at!)).not.toBeNaN();
  expect(await claimed(1)).toMatchObject({ paid: null });
  const reversal = { contractAddress: payer, batchId: "right", reversalId: "back", secondsToFinalize: 0 };
  await reverseBatch(context(), LIMITS, reversal);
  expect(await claimed(2)).toMatchObject({ paid });
  await finalize();
  expect(await claimed(2)).toMatchObject({ paid: null });
});

describe("who may do what:", () => {
  const calls: [string, (of: ReturnType<typeof callerOf>) => Promise<unknown>, least: number][] = [
    ["list", ({ allocations }) => allocations.list({}), 0],
    ["get", ({ allocations }) => allocations.get({ allocationId: randomUUID() }), 0],
    ["payments", ({ allocations }) => allocations.payments({ allocationId: randomUUID() }), 0],
    ["preview", ({ allocations }) => allocations.preview({ snapshotId: randomUUID(), ...TOTAL }), 1],
    [
      "request",
      ({ allocations }) => allocations.request({ snapshotId: randomUUID(), name: "x", ...TOTAL }),
      1,
    ],
    ["delete", ({ allocations }) => allocations.delete({ allocationId: randomUUID() }), 1],
    ["publish", ({ allocations }) => allocations.publish({ allocationId: randomUUID() }), 2],
  ];
  test.each(calls)("%s", async (_, call, least) => {
    for (const [rank, role] of (["viewer", "operator", "admin"] as const).entries()) {
      const refused = await call(callerOf(db, role)).then(
        () => "",
        ({ message }: Error) => message,
      );
      expect(/requires the role/.test(refused), role).toBe(rank < least);
    }
  });

  test("strangers read the claims of a published allocation only", async () => {
    const { id: allocationId } = await made();
    const input = { allocationId, address: wallet(1) };
    expect((await refusalOf(getClaim(context("anyone"), input))).code).toBe("allocation_not_found");
    const unknown = refusalOf(getClaim(context("anyone"), { ...input, allocationId: randomUUID() }));
    expect((await unknown).code).toBe("allocation_not_found");
    await publishAllocation(staffContext(db, BEN), { allocationId });
    expect(await getClaim(context("anyone"), input)).toMatchObject({ amount: "823" });
  });
});

describe("under an approval rule", () => {
  let ofContract: string;
  let ofAll: string;
  beforeAll(async () => {
    const contract = await newContract();
    await submit(contract, [[1, "1"]]);
    await finalize();
    await setRule(db, contract, { threshold: "10" });
    ({ id: ofContract } = await snapshotOf(db, { contractAddress: contract, pointType: "PHASE2_POINTS" }));
    ({ id: ofAll } = await snapshotOf(db, { pointType: "PHASE2_POINTS" }));
  });

  test.each(["of the snapshot's contract", "of any contract, when the snapshot is over all"])(
    "%s, another person than the one who made it publishes it, in the console",
    async (which) => {
      const allocation = await made({
        snapshotId: which.startsWith("of any") ? ofAll : ofContract,
        total: "1000000",
      });
      expect(allocation.needsSecondPerson).toBe(true);
      const input = { allocationId: allocation.id };
      for (const [actor, reason] of [
        [staffContext(db, ANN), /You made this allocation\. Another admin must publish it\./],
        [
          context("ops"),
          /An admin other than the one who made the allocation must publish it in the console/,
        ],
      ] as const) {
        const refusal = await refusalOf(publishAllocation(actor, input));
        expect([refusal.code, refusal.message]).toEqual(["not_allowed", expect.stringMatching(reason)]);
      }
      expect(await getAllocation(context(), input)).toEqual(allocation);
      const done = await publishAllocation(staffContext(db, BEN), input);
      expect(done.publishedBy).toBe(`staff:${BEN}`);
    },
  );

  test("an admin who gave the other their access is no second person, until another admin confirms it", async () => {
    const input = { allocationId: (await made({ snapshotId: ofContract })).id };
    const [ann, ben] = [ANN, BEN].map((email) => newPerson(db, { email, role: "admin" }));
    for (const { email } of [await ann!, await ben!]) {
      const giver = email === ANN ? BEN : ANN;
      await db.sql`update staff set unconfirmed_by = ${`{staff:${giver}}`}::text::text[] where email = ${email}`;
      const refusal = await refusalOf(publishAllocation(staffContext(db, BEN), input));
      expect([refusal.code, refusal.message]).toEqual([
        "not_allowed",
        expect.stringMatching(
          email === ANN ? /^You gave ann@example\.com their access/ : /not confirmed yet/,
        ),
      ]);
      await db.sql`update staff set unconfirmed_by = '{}'`;
    }
    await publishAllocation(staffContext(db, BEN), input);
  });

  test("of another contract, nobody else is needed", async () => {
    const allocation = await made();
    expect(allocation.needsSecondPerson).toBe(false);
    await publishAllocation(staffContext(db, ANN), { allocationId: allocation.id });
  });
});

describe("a published allocation", () => {
  test("is never published again, changed or deleted, and keeps its snapshot", async () => {
    const allocation = await published();
    const { id: allocationId } = allocation;
    const again = await refusalOf(publishAllocation(staffContext(db, ANN), { allocationId }));
    expect(again.message).toBe(`staff:${BEN} has published the allocation at ${allocation.publishedAt}.`);
    const deleted = await refusalOf(deleteAllocation(staffContext(db, ANN), { allocationId }));
    expect(deleted.message).toMatch(/is published\. .* never deleted\.$/);
    const kept = await refusalOf(deleteSnapshot(context("ops"), { snapshotId }, removeAllocationsOf));
    expect(kept.message).toMatch(/^The published allocation “Season \d+” \(.*\) needs this snapshot/);
    expect(await getAllocation(context(), { allocationId })).toEqual(allocation);
    expect(await constraintOf(db.sql`delete from snapshots where id = ${snapshotId}::uuid`)).toBe(
      "allocations_snapshot_id_snapshots_id_fk",
    );
  });

  test.each([
    ["its name", "update allocations set name = 'other'"],
    ["its sum", "update allocations set sum = sum + 1, total = total + 1"],
    ["who published it", "update allocations set published_by = 'other'"],
    ["the row", "delete from allocations"],
    ["amounts", "update allocation_claims set amounts = array[1, 2, 997]"],
    ["places of leaves", "update allocation_claims set positions = array[2, 3, 4]"],
    ["its claims", "delete from allocation_claims"],
    ["its claims, taken back first", "update allocation_claims set is_published = false"],
    ["nodes", "update allocation_nodes set hashes = hashes"],
  ])("does not let the database change %s", async (_, statement) => {
    await published();
    expect(await constraintOf(db.sql.unsafe(statement))).toBe("allocations_immutable");
  });

  test("is not changed by rows that are added to it", async () => {
    const { id } = await published();
    const added = (firstIndex: number, number: number) => db.sql`
      insert into allocation_claims
        (allocation_id, first_index, first_address, addresses, amounts, positions, is_published)
      values (${snapshotBytes(id)}, ${firstIndex}::int, ${addressToBytes(wallet(number))},
        ${addressToBytes(wallet(number))}, array[5], array[3], true)`;
    expect(await constraintOf(added(0, 2))).toMatch(/^allocation_claims_/);
    expect(await constraintOf(added(1, 2))).toBe("allocation_claims_first_index");
    await added(1000, 9);
    expect((await refusalOf(claimOf(id, 9))).code).toBe("claim_not_found");
    expect(await claimOf(id, 3)).toMatchObject({ amount: "20" });
    await withoutTriggers(db, "delete from allocation_claims where first_index = 1000");
  });
});

test("a ready allocation changes no more, and can be deleted with its claims", async () => {
  const allocation = await made();
  for (const change of [
    "amounts = array[1, 2, 997]",
    "positions = null",
    "addresses = addresses || addresses",
  ])
    expect(await constraintOf(db.sql.unsafe(`update allocation_claims set ${change}`))).toBe(
      "allocations_immutable",
    );
  expect(await constraintOf(db.sql`update allocations set minimum = 2`)).toBe("allocations_immutable");
  expect(await constraintOf(db.sql`update allocations set root = sha256('')`)).toBe("allocations_immutable");
  await callerOf(db, "operator").allocations.delete({ allocationId: allocation.id });
  expect(await actionsOf(allocation)).toEqual(["allocation.make", "allocation.delete"]);
  for (const table of ["allocation_claims", "allocation_nodes"])
    expect(
      await db.sql`select 1 from ${db.sql(table)} where allocation_id = ${snapshotBytes(allocation.id)}`,
    ).toHaveLength(0);
  const again = await refusalOf(deleteAllocation(context("ops"), { allocationId: allocation.id }));
  expect(again.code).toBe("allocation_not_found");
});

test.each(["openzeppelin", "lines", "pay"] as const)(
  "a file %s of an allocation that is deleted meanwhile ends with the reason, and is never short",
  async (form) => {
    const { id: allocationId } = await made({ decimals: 6 });
    const { content } = await allocationFile(context(), { allocationId, form });
    await deleteAllocation(context("ops"), { allocationId });
    const read = async () => {
      for await (const _ of content);
    };
    expect(await refusalOf(read())).toMatchObject({
      ...{ code: "allocation_not_found", message: expect.stringMatching(/was deleted while its claims/) },
    });
  },
);

test("deleting a snapshot deletes its unpublished allocations, each with an audit entry", async () => {
  const allocations = [await made(), await made({ total: "2" })];
  await deleteSnapshot(context("ops"), { snapshotId }, removeAllocationsOf);
  expect(await listAllocations(context(), { snapshotId })).toEqual([]);
  for (const each of allocations)
    expect(await actionsOf(each)).toEqual(["allocation.make", "allocation.delete"]);
  expect(
    await db.sql`select 1 from allocation_claims c
    where not exists (select 1 from allocations a where uuid_send(a.id) = c.allocation_id)`,
  ).toHaveLength(0);
});

test.each([
  ["an amount", "update allocation_claims set amounts = array[824, 157, 20]"],
  ["two amounts, changed for each other", "update allocation_claims set amounts = array[157, 823, 20]"],
  ["an address", `update allocation_claims set addresses = substring(addresses for 59) || '\\xff'::bytea`],
  ["places of leaves", "update allocation_claims set positions = array[3, 2, 4]"],
  ["a node", "update allocation_nodes set hashes = substring(hashes for 159) || '\\xff'::bytea"],
  ["lost claims", "delete from allocation_claims"],
  ["lost nodes", "delete from allocation_nodes"],
  ["a root", "update allocations set root = sha256('')"],
  ["a sum", "update allocations set sum = sum + 1, total = total + 1"],
])(
  "the self-check, whole and incremental, finds %s of an allocation that somebody changed",
  async (_, change) => {
    const options = { startedBy: "test", secondsMax: 30, checks: CHECKS, slices: 3, unsettledSeconds: 0 };
    await runCheck(db, options);
    const { id } = await made();
    expect(await runCheck(db, { ...options, reach: "incremental" })).toMatchObject({ ok: true });
    await withoutTriggers(db, change);
    const { findings } = await checkLedger(db, CHECKS);
    expect(findings).toEqual([
      { rule: "allocations_unchanged", detail: expect.stringContaining(`allocation ${id}: stored 3 claims`) },
    ]);
    let isFound = false;
    for (let slice = 0; slice < 3 && !isFound; slice++)
      isFound = !(await runCheck(db, { ...options, reach: "incremental" }))!.ok;
    expect(isFound).toBe(true);
    await withoutTriggers(db, "truncate allocations, allocation_claims, allocation_nodes");
    await runCheck(db, options);
  },
);

test.each([
  ["100", "34"],
  ["2", "1"],
])(
  "a total of %s and a minimum of %s, which only one of three reaches, leave out the others",
  async (total, minimum) => {
    expect(await made({ total, minimum })).toMatchObject({
      ...{ status: "READY", claims: 1, withoutClaim: 2, sum: total, smallest: total },
    });
  },
);

test("a preview that takes too long says to make the allocation instead, and that makes it", async () => {
  const short = createDatabase({ url: db.url, poolMax: 2, timeoutSeconds: 1, pooler: "none" });
  const { allocations } = callerOf(short, "operator");
  await db.sql.unsafe(`alter table snapshot_holders rename to stored_holders;
    create view snapshot_holders as select h.* from stored_holders h, pg_sleep(60)`);
  const rule = { snapshotId, rule: "FIXED_RATE" as const, rate: "1", decimals: 6 };
  await expect(allocations.preview(rule)).rejects.toThrow(
    /stopped after \d+ s\. Make the allocation instead/,
  );
  const { id: allocationId } = await allocations.request({ ...rule, name: "large" });
  await short.close();
  await db.sql.unsafe(`drop view snapshot_holders; alter table stored_holders rename to snapshot_holders`);
  await makeAllocations(db);
  expect(await getAllocation(context(), { allocationId })).toMatchObject({ status: "READY" });
});

test("an allocation that was previewed is requested without computing it again", async () => {
  const { allocations } = callerOf(db, "operator");
  const rule = { snapshotId, rule: "FIXED_RATE" as const, rate: "1.25", decimals: 9 };
  const begin = vi.spyOn(db.sql, "begin");
  await allocations.preview(rule);
  expect(await allocations.request({ ...rule, name: "previewed" })).toMatchObject({ status: "RUNNING" });
  expect(begin.mock.calls.filter(([mode]) => mode === "read only")).toHaveLength(1);
  begin.mockRestore();
  await makeAllocations(db);
});

test("claims for anyone are read without the approval rules, which lie on every shard", async () => {
  await published();
  await db.sql.begin(async (tx) => {
    await tx`lock table approval_rules in access exclusive mode`;
    expect(await listWalletClaims(context("anyone"), { address: wallet(1) })).not.toEqual([]);
  });
});

describe("a wallet's page", () => {
  const claimsOf = (number: number) =>
    createPublicCaller(publicContext(db, "198.51.100.7") as never).claims({ address: wallet(number) });

  test("has its claims in published allocations, the newest first, at most half a minute old", async () => {
    Object.assign(settings(), { PUBLIC_RECEIPTS: true, PUBLIC_RATE_LIMIT_PER_MINUTE: 0 });
    await made();
    const first = await published({ name: "first" });
    const second = await published({ name: "second", excluded: [wallet(2)] });
    const claim = { amount: "823", tokens: "0.000000000000000823", decimals: 18, pointType: "PHASE2_POINTS" };
    const own = [second, first].map(({ id, name, publishedAt }) => ({ allocationId: id, name, publishedAt }));
    const shown = (await claimsOf(1)).filter(({ allocationId }) =>
      own.some((each) => each.allocationId === allocationId),
    );
    expect(shown).toMatchObject([own[0]!, { ...own[1]!, ...claim }]);
    expect((await claimsOf(2)).map(({ name }) => name)).not.toContain("second");
    expect(await claimsOf(404)).toEqual([]);
    await published({ name: "third" });
    expect((await claimsOf(1)).map(({ name }) => name)).not.toContain("third");
  });
});
