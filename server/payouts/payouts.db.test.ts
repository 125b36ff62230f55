import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Database } from "@/db/client";
import { Errand } from "@/db/errand";
import { createAccessToken, DEFAULT_SCOPES, type TokenScope } from "@/server/auth/tokens";
import { getBulkJob, startBulk } from "@/server/batches/bulk/jobs";
import { previewBulk } from "@/server/batches/bulk/preview-bulk";
import type { BulkAction } from "@/server/batches/bulk/schema";
import { workBulk } from "@/server/batches/bulk/work-bulk";
import { approveBatch } from "@/server/batches/change/approve-batch";
import { cancelBatch, cancelGroup } from "@/server/batches/change/cancel-batch";
import { holdBatch, releaseBatch } from "@/server/batches/change/hold-batch";
import { countFacets } from "@/server/batches/list/count-batches";
import { findBatch } from "@/server/batches/list/get-batch";
import { listConsoleBatches } from "@/server/batches/list/list-console-batches";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { describeBatch } from "@/server/batches/review/describe-batch";
import { dryRunSubmit } from "@/server/batches/submit/dry-run-submit";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { Deadline } from "@/server/rest/deadline";
import { createEndpoint } from "@/server/webhooks/endpoints";
import { DomainError } from "@/terms/problems";
import { expectLedgerToBalance } from "@/testing/expectations";
import { explain, nodesOf, statementsOf } from "@/testing/explain";
import {
  type BatchOptions,
  batchOf,
  LIMITS,
  newPerson,
  numbersFrom,
  setRule,
  times,
  wallet,
} from "@/testing/factories";
import { dyingAfter } from "@/testing/races";
import { callApi } from "@/testing/rest-request";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { cancelPayout } from "./cancel-payout";
import { describePayout } from "./read-payout";
import { releasePayout } from "./release-payout";

const { db, context, newContract, finalize, balance } = useLedger({ poolMax: 20, serves: true });

const [ANN, BOB, EVE] = ["ann", "bob", "eve"].map((name) => `staff:${name}@example.com`) as [
  string,
  string,
  string,
];
const ann = () => context(ANN);
const bob = () => context(BOB);

beforeAll(async () => {
  for (const name of ["ann", "bob", "eve", "viewer"])
    await newPerson(db, { email: `${name}@example.com`, role: name === "viewer" ? "viewer" : "operator" });
});

const PARTS = [1, 2, 3];
const READ_AS = "Addresses from “to”, amounts from “reward” (column 2).\nIn doubt when submitted: “reward”.";
/** A batch of a payout, as New payout submits it. It is due immediately. */
const store = (contract: string, part: number, payoutId = "f", own = ann(), points = "2") => {
  const batch = batchOf(contract, [[part, points]], { batchId: `${payoutId}.00${part}` });
  const payout = { id: payoutId, part, partCount: PARTS.length, fileName: "payout.csv", readAs: READ_AS };
  return submitBatch(own, LIMITS, { ...batch, payout: { ...payout, points: "6.5" } });
};
/** A batch of `/v1`. */
const storeNamed = (contract: string, payoutId: string, batchId: string, options: BatchOptions = {}) =>
  submitBatch(context(), LIMITS, { ...batchOf(contract, [[1, "1"]], { batchId, ...options }), payoutId });
/** `large.0`, `large.1`, …, of which every third is gold. */
const storeMany = (contract: string, count: number) =>
  times(count, (number) =>
    storeNamed(contract, "large", `large.${number}`, {
      secondsToFinalize: 3600,
      pointType: number % 3 === 2 ? "PHASE2_GOLD" : "PHASE2_POINTS",
    }),
  );
const release = (contract: string, seen = { batches: PARTS.length, points: "6" }, own = ann()) =>
  releasePayout(own, { contractAddress: contract, payoutId: "f", seen });
const pageOf = (contract: string, payoutId = "f") =>
  describePayout(ann(), { contractAddress: contract, payoutId });
const statuses = (contract: string) =>
  db.sql<{ id: string; status: string }[]>`
    select id, status from batches where contract_address = ${addressToBytes(contract)} order by id`;
const states = async (contract: string) => (await statuses(contract)).map(({ status }) => status).join(" ");
/** A contract with every part of a file. */
async function wholeFile(): Promise<string> {
  const contract = await newContract();
  for (const number of PARTS) await store(contract, number);
  return contract;
}
const allOf = (status: string) => PARTS.map((part) => ({ id: `f.00${part}`, status }));
const part = (contract: string, number: number) => ({
  contractAddress: contract,
  batchId: `f.00${number}`,
  reason: "check first",
});

test("the parts of a file are stored once and paid once, and none before the file is whole and released, wherever browser or server are killed", async () => {
  const reached = new Set<string>();
  for (let calls = 1; calls <= 81; calls += 4) {
    const contract = await newContract();
    const run = async (on: Database) => {
      const own = { ...ann(), db: on };
      for (const number of PARTS) await store(contract, number, "f", own);
      await release(contract, undefined, own);
    };
    await run(dyingAfter(db, calls)).catch(() => undefined);
    await finalize();
    const stored = await statuses(contract);
    const paid = stored.filter(({ status }) => status !== "PENDING").length;
    expect([0, PARTS.length]).toContain(paid);
    if (paid === 0 && stored.length > 0)
      expect((await pageOf(contract)).counts).toMatchObject({ onHold: stored.length });
    reached.add(paid === 0 ? `${stored.length} stored` : "paid");
    await run(db);
    await finalize();
    expect([calls, ...(await statuses(contract))]).toEqual([calls, ...allOf("FINALIZED")]);
    expect(await balance(contract)).toMatchObject({ finalizedSentCumulative: "6", pendingSent: "0" });
  }
  expect([...reached].sort()).toEqual(["0 stored", "1 stored", "2 stored", "3 stored", "paid"]);
}, 60_000);

test("the parts of a file are not released while one is missing, and their page says how many", async () => {
  const contract = await newContract();
  for (const number of [1, 2]) await store(contract, number);
  await expect(release(contract, { batches: 2, points: "4" })).rejects.toMatchObject({
    code: "validation_failed",
    message: "1 of 3 batches of this payout is not stored. The others stay on hold.",
  });
  expect(await pageOf(contract)).toMatchObject({
    stored: 2,
    partCount: 3,
    ...{ storedParts: 2, fileName: "payout.csv", readAs: READ_AS, listPoints: "6.5" },
    checked: null,
    ...{ waiting: { batches: 2, points: "4" }, waitingDue: { batches: 2, points: "4" } },
  });
  const payout = { id: "g", part: 1, partCount: 2, fileName: "g.csv", points: "6.5" };
  const other = { ...batchOf(contract, [[9, "2"]], { secondsToFinalize: 3600 }), batchId: "g.001", payout };
  const { tryOut, submit } = callerOf(db, "operator").batches;
  await submit({ ...other, payout: { ...payout, digest: "c0ffee" } });
  const { stored } = await tryOut(other);
  expect((await pageOf(contract, "g")).waitingDue).toEqual({ batches: 0, points: "0" });
  expect(stored).toMatchObject({ id: "g.001", listPoints: "6.5", listDigest: "c0ffee" });
});

test("what is released is what was seen: after a part was cancelled, the release is refused with the new figures, and carries these to pay the others", async () => {
  const contract = await newContract();
  for (const number of PARTS) await store(contract, number, "f", ann(), `${number}.5`);
  const { waiting } = await pageOf(contract);
  expect(waiting).toEqual({ batches: 3, points: "7.5" });
  await cancelBatch(ann(), part(contract, 2));
  await expect(release(contract, waiting)).rejects.toMatchObject({
    code: "validation_failed",
    message:
      "2 batches with 5 points of this payout wait for their release now. " +
      "You saw 3 batches with 7.5. Nothing was released.",
  });
  await finalize();
  expect(await states(contract)).toBe("PENDING CANCELLED PENDING");
  for (const seen of [
    { batches: 2, points: "5.000000000001" },
    { batches: 1, points: "5" },
  ])
    await expect(release(contract, seen)).rejects.toMatchObject({ code: "validation_failed" });
  expect(await release(contract, (await pageOf(contract)).waiting)).toEqual({ released: 2 });
  await finalize();
  expect(await states(contract)).toBe("FINALIZED CANCELLED FINALIZED");
  expect((await pageOf(contract)).waiting).toEqual({ batches: 0, points: "0" });
});

test("batches of /v1 with the payout ID of a file are no part of the file: they hide no missing part, and do not keep it on hold", async () => {
  const contract = await newContract();
  for (const number of [1, 2]) await store(contract, number);
  for (const batchId of ["x", "y"]) await storeNamed(contract, "f", batchId, { secondsToFinalize: 60 });
  const figures = { stored: 4, partCount: 3, storedParts: 2 };
  expect(await pageOf(contract)).toMatchObject(figures);
  expect((await describeBatch(ann(), part(contract, 1))).payout).toMatchObject(figures);
  await expect(release(contract, { batches: 2, points: "4" })).rejects.toThrow("is not stored");
  await store(contract, 3);
  await cancelBatch(context(), { contractAddress: contract, batchId: "x" });
  expect(await release(contract)).toEqual({ released: 3 });
});

test("a part that is stored twice under different IDs is not paid twice: the file stays on hold until one of both is cancelled", async () => {
  const contract = await wholeFile();
  const payout = { id: "f", part: 2, partCount: PARTS.length, fileName: "payout.csv" };
  await submitBatch(ann(), LIMITS, { ...batchOf(contract, [[2, "2"]], { batchId: "f.2" }), payout });
  await expect(release(contract, { batches: 4, points: "8" })).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining("1 of 3 batches of this payout is stored twice"),
  });
  expect((await pageOf(contract)).counts).toMatchObject({ pending: 4, onHold: 4 });
  await cancelBatch(ann(), part(contract, 2));
  expect(await release(contract)).toEqual({ released: 3 });
});

test("a payout that was cancelled whole is not released, and its page counts what is not paid", async () => {
  const contract = await wholeFile();
  for (const number of PARTS) await cancelBatch(ann(), part(contract, number));
  await expect(release(contract, { batches: 0, points: "0" })).rejects.toMatchObject({
    code: "validation_failed",
    message: "Every batch of this payout was cancelled, so nothing can be released. Correct and resend them.",
  });
  expect(await pageOf(contract)).toMatchObject({ status: "CANCELLED", transferCount: 3 });
});

test("parts of several point types are not released, since no sum of them says what is paid", async () => {
  const contract = await wholeFile();
  await cancelBatch(ann(), part(contract, 3));
  const gold = { batchId: "f.003-2", pointType: "PHASE2_GOLD" as const };
  await submitBatch(ann(), LIMITS, { ...batchOf(contract, [[3, "2"]], gold), corrects: "f.003" });
  await expect(release(contract)).rejects.toThrow("of several point types. All stay on hold.");
  await cancelBatch(ann(), { ...part(contract, 3), batchId: "f.003-2" });
  await release(contract, { batches: 2, points: "4" });
  const { timeline } = await describeBatch(ann(), part(contract, 3));
  expect(timeline.at(-1)?.event).toBe("cancelled");
});

test("two parts that are numbered by different totals are not whole", async () => {
  const contract = await newContract();
  await store(contract, 1);
  for (const partCount of [2, 3]) {
    const payout = { id: "f", part: partCount, partCount, fileName: "payout.csv" };
    const batch = batchOf(contract, [[2, "2"]], { batchId: `f.${partCount}` });
    await submitBatch(ann(), LIMITS, { ...batch, payout });
  }
  await expect(release(contract)).rejects.toMatchObject({
    code: "validation_failed",
    message: "The batches of this payout are numbered by different totals. Cancel them and submit it again.",
  });
});

test("a release is one change: one entry of the audit log, an event for each batch, and in each timeline", async () => {
  const contract = await newContract();
  const hook = { url: "https://example.com/hook", events: ["batch.released" as const] };
  const rules = { serviceSecret: "secret-of-this-test", allowPrivate: false };
  await createEndpoint(ann(), { contractAddress: contract, ...hook }, rules);
  for (const number of PARTS) await store(contract, number);
  expect(await release(contract)).toEqual({ released: 3 });
  expect(await release(contract)).toEqual({ released: 0 });
  const target = `payout:${contract.toLowerCase()}/f`;
  const audited = await db.sql`select actor, action, detail from audit_log where target = ${target}`;
  expect([...audited]).toEqual([
    { actor: ANN, action: "payout.release", detail: { batches: 3, heldApart: 0 } },
  ]);
  const events = await db.sql`
    select event from webhook_deliveries where contract_address = ${addressToBytes(contract)}`;
  expect(events.map(({ event }) => event)).toEqual(PARTS.map(() => "batch.released"));
  const { timeline, payout } = await describeBatch(ann(), part(contract, 2));
  expect(timeline).toContainEqual(expect.objectContaining({ event: "released", by: ANN }));
  expect(payout).toMatchObject({ id: "f", name: "payout.csv", part: 2, partCount: 3, stored: 3 });
  expect((await pageOf(contract)).checked).toMatchObject({ by: ANN });
  await finalize();
  await cancelBatch(ann(), part(contract, 1)).catch(() => undefined);
  expect(await release(contract)).toEqual({ released: 0 });
});

test("the parts of a file wait for their approval after the release, or stay on hold if someone holds them then", async () => {
  const contract = await newContract();
  await setRule(db, contract, { threshold: "2" });
  for (const number of PARTS) await store(contract, number);
  await release(contract);
  await holdBatch(ann(), part(contract, 2));
  expect(await release(contract)).toEqual({ released: 0 });
  await finalize();
  expect(await findBatch(ann(), contract, "f.001")).toMatchObject({ awaitsApproval: true, heldAt: null });
  const held = await findBatch(ann(), contract, "f.002");
  expect(held).toMatchObject({ holdReason: "check first", heldForPayout: false });
  expect(await statuses(contract)).toEqual(allOf("PENDING"));
});

test("a part that waits for its payout is released with it only: alone it is refused, and a release of many counts it apart", async () => {
  const contract = await newContract();
  for (const number of [1, 2]) await store(contract, number);
  await storeNamed(contract, "other", "held", { secondsToFinalize: 0 });
  await holdBatch(ann(), { ...part(contract, 1), batchId: "held" });
  const waits = "The batch waits for its payout. It can be released once the payout is.";
  await expect(releaseBatch(ann(), part(contract, 1))).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining(waits),
  });
  const chosen = { filters: { contractAddress: contract } };
  const { jobId, changeable, obstacles } = await previewBulk(ann(), { action: "release", chosen });
  expect(changeable.batches).toBe(1);
  expect(obstacles).toMatchObject([{ result: "EXCLUDED", why: "WAITS", batches: 2 }]);
  // As if the preview had been made by an earlier version.
  await db.sql`update bulk_job_items set result = null, why = null, why_at = null where job_id = ${jobId}`;
  await startBulk(ann(), { jobId, reason: "all of them" });
  expect(await workBulk(db, { budgetSeconds: 60 })).toBe(1);
  const { obstacles: stopped } = await getBulkJob(ann(), { jobId });
  expect(stopped).toMatchObject([{ result: "OVERTAKEN", why: "WAITS", batches: 2 }]);
  await finalize();
  expect(await states(contract)).toBe("PENDING PENDING FINALIZED");
});

test("a person's hold on a part that waits holds: the payout's release leaves it out, and it is released afterwards", async () => {
  const contract = await wholeFile();
  const { waiting } = await pageOf(contract);
  await holdBatch(ann(), part(contract, 2));
  await expect(holdBatch(ann(), part(contract, 2))).rejects.toThrow("The batch is already on hold.");
  await expect(releaseBatch(ann(), part(contract, 2))).rejects.toThrow("waits for its payout");
  await expect(release(contract, waiting)).rejects.toThrow("2 batches with 4 points");
  expect(await pageOf(contract)).toMatchObject({ waiting: { batches: 2, points: "4" }, heldApart: 1 });
  expect(await release(contract, { batches: 2, points: "4" })).toEqual({ released: 2 });
  await finalize();
  expect(await states(contract)).toBe("FINALIZED PENDING FINALIZED");
  const held = { heldBy: ANN, holdReason: "check first", heldForPayout: false, heldApart: false };
  expect(await findBatch(ann(), contract, "f.002")).toMatchObject(held);
  expect((await pageOf(contract)).heldApart).toBe(0);
  await releaseBatch(ann(), part(contract, 2));
  await finalize();
  expect(await statuses(contract)).toEqual(allOf("FINALIZED"));
});

test("the correction of a part that was cancelled while it waited is that part: it waits for the release too", async () => {
  const contract = await wholeFile();
  await cancelBatch(ann(), part(contract, 2));
  const correction = batchOf(contract, [[2, "3"]], { batchId: "f.002-2" });
  await submitBatch(ann(), LIMITS, { ...correction, corrects: "f.002" });
  await finalize();
  expect(await states(contract)).not.toContain("FINALIZED");
  await release(contract, { batches: 3, points: "7" });
  await finalize();
  const paid = (await statuses(contract)).filter(({ status }) => status === "FINALIZED");
  expect(paid.map(({ id }) => id)).toEqual(["f.001", "f.002-2", "f.003"]);
});

test("all parts of a file can be put on hold while they wait: none is paid before the file is whole, released, and each hold too", async () => {
  const contract = await newContract();
  const chosen = { filters: { contractAddress: contract } };
  const change = async (action: "hold" | "release") => {
    const { jobId, changeable } = await previewBulk(ann(), { action, chosen });
    if (changeable.batches > 0) await startBulk(ann(), { jobId, reason: "looks odd" });
    await workBulk(db, { budgetSeconds: 60 });
    await finalize();
    return changeable.batches;
  };
  for (const number of [1, 2]) await store(contract, number);
  const none = { batches: 0, points: "0" };
  expect([await change("hold"), await change("hold"), await change("release")]).toEqual([2, 0, 0]);
  await expect(release(contract, none)).rejects.toThrow("1 of 3 batches of this payout is not stored.");
  await store(contract, 3);
  expect([await change("hold"), await change("release")]).toEqual([1, 0]);
  expect(await release(contract, none)).toEqual({ released: 0 });
  expect((await pageOf(contract)).checked).toMatchObject({ by: ANN });
  await finalize();
  expect(await statuses(contract)).toEqual(allOf("PENDING"));
  expect(await change("release")).toBe(3);
  expect(await statuses(contract)).toEqual(allOf("FINALIZED"));
});

describe("a rule weighs a file by its sum at its release, and all of it waits or none", () => {
  const needs = async (contract: string) => {
    const rows = await db.sql<{ need: string | null }[]>`
      select distinct approval_need as need from batches
      where contract_address = ${addressToBytes(contract)} and awaits_approval = (approval_need is not null)`;
    return rows.map(({ need }) => need);
  };
  const storeAll = async (contract: string) => {
    for (const number of PARTS) await store(contract, number, "f", ann(), "99.99");
  };
  const seen = { batches: 3, points: "299.97" };

  test.each([
    ["its sum reaches the threshold", { threshold: "299.97" }, ["THRESHOLD"]],
    ["its sum is below the threshold", { threshold: "299.98" }, [null]],
    ["it reaches the daily threshold", { dayThreshold: "299.97" }, ["DAY"]],
    ["it passes the daily threshold", { dayThreshold: "299.98" }, [null]],
  ])("%s", async (_, rule, expected) => {
    const contract = await newContract();
    await setRule(db, contract, rule);
    await storeAll(contract);
    expect(await needs(contract)).toEqual([null]);
    await release(contract, seen);
    expect(await needs(contract)).toEqual(expected);
    await finalize();
    const isPaid = expected[0] === null;
    expect(await statuses(contract)).toEqual(allOf(isPaid ? "FINALIZED" : "PENDING"));
    const [counted] = await db.sql`
      select trim_scale(day_points)::text as points from approval_rules
      where contract_address = ${addressToBytes(contract)}`;
    expect(counted).toEqual({ points: isPaid && "dayThreshold" in rule ? "299.97" : "0" });
  });

  test.each([{ threshold: "299.97" }, { dayThreshold: "299.97" }])(
    "the dry run of a part says that the whole would await approval: %o",
    async (rule) => {
      const contract = await newContract();
      await setRule(db, contract, rule);
      const dryRun = async (points: string) => {
        const batch = batchOf(contract, [[1, "99.99"]], { batchId: "f.001", secondsToFinalize: 60 });
        const payout = { id: "f", part: 1, partCount: 3, fileName: "payout.csv", points };
        return (await dryRunSubmit(ann(), LIMITS, { ...batch, payout })).awaitingApproval ?? false;
      };
      expect([await dryRun("299.96"), await dryRun("299.97")]).toEqual([false, true]);
    },
  );

  test("what passed on that day counts, and a repeat of the release does not", async () => {
    const contract = await newContract();
    await setRule(db, contract, { dayThreshold: "400" });
    await submitBatch(context(), LIMITS, batchOf(contract, [[9, "100.03"]], { batchId: "x" }));
    await storeAll(contract);
    await release(contract, seen);
    await release(contract, seen);
    expect((await needs(contract)).sort()).toEqual(["DAY", null]);
    expect((await pageOf(contract)).counts).toMatchObject({ awaitingApproval: 3 });
  });

  test.each([
    ["weighed with those that stand", { threshold: "250" }, ["THRESHOLD", null]],
    ["counted once towards its day", { dayThreshold: "300" }, [null]],
  ])("a part that is sent again after the release is %s", async (_, rule, expected) => {
    const contract = await newContract();
    await setRule(db, contract, rule);
    await storeAll(contract);
    await cancelBatch(ann(), part(contract, 3));
    await release(contract, { batches: 2, points: "199.98" });
    await finalize();
    const again = batchOf(contract, [[3, "99.99"]], { batchId: "f.003-2" });
    const payout = { id: "f", part: 3, partCount: PARTS.length, fileName: "payout.csv" };
    await submitBatch(ann(), LIMITS, { ...again, corrects: "f.003", payout });
    await release(contract, { batches: 1, points: "99.99" });
    expect((await needs(contract)).sort()).toEqual(expected);
  });

  test("two files that are released at the same time count each other", async () => {
    const contract = await newContract();
    await setRule(db, contract, { dayThreshold: "400" });
    await storeAll(contract);
    for (const number of PARTS) await store(contract, number, "g", ann(), "99.99");
    const key = { contractAddress: contract, seen };
    await Promise.all(["f", "g"].map((payoutId) => releasePayout(ann(), { ...key, payoutId })));
    const counts = await Promise.all(["f", "g"].map((payoutId) => pageOf(contract, payoutId)));
    const awaiting = counts.map(({ counts: { awaitingApproval } }) => awaitingApproval);
    expect(awaiting.sort()).toEqual([0, 3]);
  });

  test("a part on hold waits with the others, and none is approved before the release", async () => {
    const contract = await newContract();
    await setRule(db, contract, { threshold: "250", onUnusual: true });
    await storeAll(contract);
    const bob = context("staff:bob@example.com");
    await expect(approveBatch(bob, part(contract, 1))).rejects.toThrow("once the payout is released");
    await holdBatch(ann(), part(contract, 2));
    await release(contract, { batches: 2, points: "199.98" });
    expect(await needs(contract)).toEqual(["THRESHOLD"]);
    await releaseBatch(ann(), part(contract, 2));
    await finalize();
    expect(await statuses(contract)).toEqual(allOf("PENDING"));
    for (const number of PARTS) await approveBatch(bob, part(contract, number));
    await finalize();
    expect(await statuses(contract)).toEqual(allOf("FINALIZED"));
  });
});

describe("a payout is taken back by a job", () => {
  const START = { reason: "wrong month", secondsToFinalize: 0 };
  const preview = (contract: string, payoutId = "large") =>
    previewBulk(ann(), { action: "reverse", chosen: { filters: { contractAddress: contract, payoutId } } });
  const takeBack = async (contract: string, payoutId = "large") => {
    const { jobId } = await preview(contract, payoutId);
    await startBulk(ann(), { jobId, ...START });
    const changed = await workBulk(db, { budgetSeconds: 60 });
    return { changed, job: await getBulkJob(ann(), { jobId }) };
  };
  const pay = async (contract: string, count: number) => {
    await times(count, (at) =>
      storeNamed(contract, "large", `l${at}`, {
        secondsToFinalize: 0,
        pointType: at % 3 === 2 ? "PHASE2_GOLD" : "PHASE2_POINTS",
      }),
    );
    await finalize();
  };
  /** Two batches of two transfers each. */
  const payPairs = async (contract: string) => {
    const rows = [1, 2].map((to) => [to, "2"] as const);
    for (const batchId of ["l0", "l1"])
      await submitBatch(context(), LIMITS, { ...batchOf(contract, rows, { batchId }), payoutId: "large" });
    await finalize();
  };
  const one = (contract: string, at: number) => ({ contractAddress: contract, batchId: `l${at}` });
  const reversals = (contract: string) =>
    db.sql<{ id: string; status: string; need: string | null; awaits: boolean }[]>`
      select id, status, approval_need as need, awaits_approval as awaits from batches
      where contract_address = ${addressToBytes(contract)} and reverses_seq is not null order by seq`;

  test("in the list, a reversal has the figures of all that take its payout back, however few are loaded", async () => {
    const contract = await newContract();
    await pay(contract, 6);
    await takeBack(contract);
    const { batches } = callerOf(db, "viewer");
    const page = await batches.list({ contractAddress: contract, reversals: true, limit: 1 });
    const [shown] = page.batches;
    const [all] = await db.sql<{ stored: number; points: string }[]>`
      select count(*)::int as stored, trim_scale(sum(points))::text as points from batches
      where contract_address = ${addressToBytes(contract)} and reverses_seq is not null
        and point_type = ${shown!.pointType}::point_type`;
    expect(page.batches).toHaveLength(1);
    expect(all!.stored).toBeGreaterThan(1);
    expect(shown!.takesBack).toMatchObject({
      ...{ id: "large", isWhole: true, counts: { pending: all!.stored, finalized: 0 } },
      ...all,
    });
    const list = { contractAddress: contract, idPrefix: "l0" };
    const paid = async () => (await batches.list(list)).batches[0]!.payout!;
    expect((await paid()).takenBack).toBe("0");
    await finalize();
    expect((await paid()).takenBack).toBe((await paid()).points);
  });

  test("1,003 batches by one call, some hundred in a statement: what is pending, cancelled or taken back is left out and counted", async () => {
    const contract = await newContract();
    await pay(contract, 1003);
    await storeNamed(contract, "large", "pending", { secondsToFinalize: 3600 });
    await storeNamed(contract, "large", "cancelled", { secondsToFinalize: 3600 });
    await cancelBatch(ann(), { contractAddress: contract, batchId: "cancelled" });
    await reverseBatch(ann(), LIMITS, { ...one(contract, 7), reversalId: "r", secondsToFinalize: 3600 });
    const { changeable, obstacles, awaitsApproval } = await preview(contract);
    expect(awaitsApproval).toBe(false);
    expect(changeable).toEqual({
      batches: 1002,
      transfers: 1002,
      amounts: [
        { pointType: "PHASE2_POINTS", points: "668" },
        { pointType: "PHASE2_GOLD", points: "334" },
      ],
    });
    expect(obstacles.map(({ why, batches }) => [why, batches])).toEqual([
      ["CANCELLED", 1],
      ["PENDING", 1],
      ["REVERSED", 1],
    ]);
    const { changed, job } = await takeBack(contract);
    expect([changed, job.status, job.done.batches]).toEqual([1002, "FINISHED", 1002]);
    const [written] = await db.sql`
      select count(distinct xmin::text)::int as statements, count(*)::int as count from reversed_transfers
      where contract_address = ${addressToBytes(contract)}`;
    expect(written!.count).toBe(1003);
    expect(written!.statements).toBeLessThanOrEqual(20);
    const audited = await db.sql`
      select detail from audit_log where action = 'batch.reverse' and target like ${`batch:${contract.toLowerCase()}/%`}
        and detail ->> 'reverses' = 'l0'`;
    expect(audited[0]!.detail).toEqual({
      ...{ reverses: "l0", pointType: "PHASE2_POINTS", points: "1", transferCount: 1 },
      ...{ reason: "wrong month", job: job.id },
    });
    await finalize();
    expect((await pageOf(contract, "large")).amounts).toMatchObject([
      { pointType: "PHASE2_POINTS", takenBack: "668" },
      { pointType: "PHASE2_GOLD", takenBack: "334" },
    ]);
    await expect(takeBack(contract)).rejects.toThrow("None of these batches can be changed.");
  }, 60_000);

  test("a reversal of a job is the one that a contract would submit under its ID, and repeats it", async () => {
    const contract = await newContract();
    await pay(contract, 1);
    await takeBack(contract);
    const [stored] = await reversals(contract);
    const again = { ...one(contract, 0), reversalId: stored!.id, secondsToFinalize: 0 };
    expect(await reverseBatch(ann(), LIMITS, again)).toEqual({ batchId: stored!.id, replayed: true });
  });

  test("what somebody takes back after the preview is left out, and of a batch only what is left", async () => {
    const contract = await newContract();
    await payPairs(contract);
    const { jobId } = await preview(contract);
    await reverseBatch(ann(), LIMITS, { ...one(contract, 0), reversalId: "all" });
    await reverseBatch(ann(), LIMITS, { ...one(contract, 1), toAddresses: [wallet(2)], reversalId: "one" });
    await startBulk(ann(), { jobId, ...START });
    expect(await workBulk(db, { budgetSeconds: 60 })).toBe(1);
    const { done, obstacles } = await getBulkJob(ann(), { jobId });
    expect(done).toMatchObject({ batches: 1, transfers: 1, amounts: [{ points: "2" }] });
    expect(obstacles).toMatchObject([{ result: "OVERTAKEN", why: "REVERSED", batches: 1, transfers: 2 }]);
  });

  test("no more is taken back than was weighed, although a reversal was cancelled after the preview", async () => {
    const contract = await newContract();
    await payPairs(contract);
    await setRule(db, contract, { threshold: "7" });
    const most = { ...one(contract, 0), toAddresses: [wallet(1)], secondsToFinalize: 3600 };
    await reverseBatch(ann(), LIMITS, { ...most, reversalId: "most" });
    const { jobId } = await preview(contract);
    await cancelBatch(ann(), { contractAddress: contract, batchId: "most" });
    await startBulk(ann(), { jobId, ...START });
    expect(await workBulk(db, { budgetSeconds: 60 })).toBe(1);
    const { done, obstacles } = await getBulkJob(ann(), { jobId });
    expect(done).toMatchObject({ batches: 1, transfers: 2, amounts: [{ points: "4" }] });
    expect(obstacles).toMatchObject([
      { result: "FAILED", why: expect.stringContaining("more can be taken back"), batches: 1 },
    ]);
  });

  test("recipients who have spent their points keep no other's from being taken back", async () => {
    const [contract, spender] = [await newContract(), await newContract({ issuance: "PREFUNDED" })];
    const rows = [
      [[spender, "5"] as const, [2, "5"] as const],
      [[spender, "5"] as const],
      [[2, "5"] as const],
    ];
    for (const [at, transfers] of rows.entries())
      await submitBatch(context(), LIMITS, {
        ...batchOf(contract, transfers, { batchId: `l${at}`, secondsToFinalize: 0 }),
        payoutId: "large",
      });
    await finalize();
    await submitBatch(context(), LIMITS, batchOf(spender, [[3, "8"]], { batchId: "spent" }));
    const { changed, job } = await takeBack(contract);
    expect(changed).toBe(2);
    expect(job.done).toMatchObject({ batches: 2, transfers: 2, amounts: [{ points: "10" }] });
    expect(job.obstacles).toMatchObject([
      { result: "DONE", why: "SHORT", batches: 1, transfers: 1 },
      { result: "FAILED", why: expect.stringContaining("too few points"), batches: 1 },
    ]);
  });

  test.each([
    ["its sum reaches the threshold", { threshold: "4" }, ["THRESHOLD"]],
    ["its sum is below the threshold", { threshold: "4.1" }, [null]],
    ["it reaches the daily threshold", { dayThreshold: "4" }, ["DAY"]],
    ["it passes the daily threshold", { dayThreshold: "4.1" }, [null]],
  ])("a rule weighs its sum, and all of it awaits approval or none: %s", async (_, rule, expected) => {
    const contract = await newContract();
    await times(4, (at) => storeNamed(contract, "large", `l${at}`, { secondsToFinalize: 0 }));
    await finalize();
    await setRule(db, contract, rule);
    expect((await preview(contract)).awaitsApproval).toBe(expected[0] !== null);
    await takeBack(contract);
    const all = await reversals(contract);
    expect([all.length, [...new Set(all.map(({ need }) => need))]]).toEqual([4, expected]);
    await finalize();
    const states = new Set((await reversals(contract)).map(({ status }) => status));
    expect([...states]).toEqual([expected[0] ? "PENDING" : "FINALIZED"]);
    const [counted] = await db.sql`
      select day_points::float8 as points from approval_rules
      where contract_address = ${addressToBytes(contract)}`;
    expect(counted!.points).toBe("dayThreshold" in rule && !expected[0] ? 4 : 0);
  });

  test("what a rule stops of a payout or its take back is approved by one job of a second person", async () => {
    const contract = await newContract();
    await setRule(db, contract, { threshold: "3" });
    const approve = async (own: ReturnType<typeof ann>) => {
      const chosen = { filters: { contractAddress: contract, payoutId: "f" } };
      const shown = await previewBulk(own, { action: "approve", chosen });
      if (shown.changeable.batches > 0) await startBulk(own, { jobId: shown.jobId, ...START });
      return { ...shown, run: () => workBulk(db, { budgetSeconds: 60 }) };
    };
    for (const number of PARTS) await store(contract, number);
    await expect(approve(bob())).rejects.toMatchObject({ code: "validation_failed" });
    await release(contract);
    expect((await approve(ann())).obstacles).toMatchObject([{ why: "OWN", batches: 3 }]);
    const who = "Operators and admins other than ann@example.com can approve.";
    expect((await pageOf(contract)).approval).toEqual({ mayDecide: false, who });
    const key = { contractAddress: contract, payoutId: "f" };
    expect((await describePayout(bob(), key)).approval).toEqual({ mayDecide: true, who });
    await finalize();
    const { jobId, changeable, run } = await approve(bob());
    expect(changeable).toMatchObject({ batches: 3, amounts: [{ points: "6" }] });
    await approveBatch(context(EVE), part(contract, 2));
    expect(await run()).toBe(2);
    const { done, obstacles } = await getBulkJob(bob(), { jobId });
    expect(done.batches).toBe(2);
    expect(obstacles).toMatchObject([{ result: "OVERTAKEN", why: "DECIDED", batches: 1 }]);
    await finalize();
    expect(await statuses(contract)).toEqual(allOf("FINALIZED"));
    const audit = await db.sql`
      select actor, detail ->> 'job' as job from audit_log
      where action = 'batch.approve' and target like ${`batch:${contract.toLowerCase()}/%`} order by id`;
    expect(audit).toEqual([{ actor: EVE, job: null }, ...[1, 2].map(() => ({ actor: BOB, job: jobId }))]);

    await takeBack(contract, "f");
    const filters = { ...key, reversals: true, awaitingApproval: true };
    const held = await previewBulk(bob(), { action: "hold", chosen: { filters } });
    expect(held.changeable).toMatchObject({ batches: 3, amounts: [{ points: "6" }] });
    expect((await approve(ann())).obstacles).toMatchObject([{ why: "OWN", batches: 3 }]);
    expect(await (await approve(bob())).run()).toBe(3);
    await finalize();
    expect((await reversals(contract)).map(({ status }) => status)).toEqual(PARTS.map(() => "FINALIZED"));
    expect(await balance(contract)).toMatchObject({ pendingSent: "0" });

    const batch = batchOf(contract, [[1, "4"]], { batchId: "by-token" });
    const byToken = { ...context("token:payouts"), tokenCreatedBy: ANN };
    await submitBatch(byToken, LIMITS, { ...batch, payoutId: "of-token" });
    expect((await pageOf(contract, "of-token")).approval).toEqual({ mayDecide: false, who });
  });

  test("a job approves nothing of whom its person gave access, nor when that person is not confirmed", async () => {
    const contract = await newContract();
    await setRule(db, contract, { threshold: "3" });
    for (const number of PARTS) await store(contract, number);
    await release(contract);
    const chosen = { filters: { contractAddress: contract, payoutId: "f" } };
    const start = async () => {
      const { jobId } = await previewBulk(bob(), { action: "approve", chosen });
      await startBulk(bob(), { jobId, ...START });
      return jobId;
    };
    const whyNot = async (jobId: string) => {
      expect(await workBulk(db, { budgetSeconds: 60 })).toBe(0);
      return (await getBulkJob(bob(), { jobId })).obstacles;
    };
    const give = (to: string, by: string[]) =>
      db.sql`update staff set unconfirmed_by = ${by} where email = ${to.slice("staff:".length)}`;
    const beforeAccess = await start();
    await give(ANN, [BOB]);
    expect(await whyNot(beforeAccess)).toMatchObject([{ why: "OWN", batches: 3 }]);
    const shown = await previewBulk(bob(), { action: "approve", chosen });
    expect(shown.obstacles).toMatchObject([{ why: "OWN", batches: 3 }]);
    await give(ANN, []);
    const whileConfirmed = await start();
    await give(BOB, [EVE]);
    expect(await whyNot(whileConfirmed)).toMatchObject([
      { why: expect.stringContaining("not confirmed"), batches: 3 },
    ]);
    await expect(start()).rejects.toMatchObject({ code: "not_allowed" });
    await give(BOB, []);
  });

  test("a worker that is killed at any point loses nothing, and each batch is taken back exactly once", async () => {
    for (let calls = 1; calls <= 41; calls += 4) {
      const contract = await newContract();
      await pay(contract, 3);
      const { jobId } = await preview(contract);
      await startBulk(ann(), { jobId, ...START });
      await workBulk(dyingAfter(db, calls), { budgetSeconds: 60 }).catch(() => undefined);
      await db.sql`
        update bulk_jobs set lease_until = now() - interval '1 second' where finished_at is null`;
      await workBulk(db, { budgetSeconds: 60 });
      expect([calls, (await getBulkJob(ann(), { jobId })).done.batches]).toEqual([calls, 3]);
      expect(await reversals(contract)).toHaveLength(3);
    }
  }, 60_000);

  test("it is chosen by contract and payout, and starts with a wait that the host allows", async () => {
    const contract = await newContract();
    await pay(contract, 1);
    const { bulk } = callerOf(db, "operator");
    const chosen = { filters: { contractAddress: contract } };
    await expect(bulk.preview({ action: "reverse", chosen })).rejects.toThrow("by their contract and payout");
    const whole = { filters: { ...chosen.filters, payoutId: "large" } };
    const { jobId } = await bulk.preview({ action: "reverse", chosen: whole });
    const starting = bulk.start({ jobId, ...START, secondsToFinalize: 1e9 });
    await expect(starting).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

test("the parts of a file are linked at submit, listed by their payout, and cancelled together", async () => {
  const [contract, other] = [await newContract(), await newContract()];
  for (const number of PARTS) await store(contract, number);
  const both = randomUUID();
  for (const one of [contract, other]) await store(one, 1, both);
  const alone = batchOf(contract, [[1, "1"]], { batchId: "b0", secondsToFinalize: 60 });
  await submitBatch(context(), LIMITS, alone);
  expect((await store(contract, 2)).replayed).toBe(true);
  const filters = { contractAddress: contract, payoutId: "f" };
  const page = await listConsoleBatches(ann(), filters);
  expect(page.batches.map(({ id, payout }) => [id, payout?.part])).toEqual([
    ["f.003", 3],
    ["f.002", 2],
    ["f.001", 1],
  ]);
  expect((await listConsoleBatches(ann(), { payoutId: both })).batches).toHaveLength(2);
  expect((await countFacets(ann(), { ...filters, recipient: wallet(2) })).counts.PENDING).toBe(1);
  const { jobId } = await previewBulk(ann(), { action: "cancel", chosen: { filters } });
  await startBulk(ann(), { jobId, reason: "wrong file" });
  expect(await workBulk(db, { budgetSeconds: 60 })).toBe(3);
  expect((await findBatch(ann(), contract, "b0")).status).toBe("PENDING");
  expect(await pageOf(contract)).toMatchObject({ status: "CANCELLED", firstDueAt: null });
  expect(await pageOf(other, both)).toMatchObject({ status: "PENDING", stored: 1 });
});

test("batches of /v1 with one payout ID are one payout, whose first ID is kept, with exact sums by state and type", async () => {
  const contract = await newContract();
  const large = "90071992547409930.000000000001";
  await storeNamed(contract, "season", "a", { secondsToFinalize: 0 });
  await submitBatch(context(), LIMITS, {
    ...batchOf(contract, [[1, large] as const, [2, large] as const], { batchId: "b", secondsToFinalize: 0 }),
    payoutId: "season",
  });
  await finalize();
  await storeNamed(contract, "season", "c", { secondsToFinalize: 60 });
  await storeNamed(contract, "season", "gold", { pointType: "PHASE2_GOLD", secondsToFinalize: 90 });
  await storeNamed(contract, "season", "d", { secondsToFinalize: 120 });
  const again = await storeNamed(contract, "another", "d", { secondsToFinalize: 120 });
  expect(again.replayed).toBe(true);
  await cancelBatch(context(), { contractAddress: contract, batchId: "d" });
  const reversal = { contractAddress: contract, batchId: "b", reversalId: "r", toAddresses: [wallet(2)] };
  await reverseBatch(context(), LIMITS, { ...reversal, secondsToFinalize: 0 });
  await finalize();
  const payout = await pageOf(contract, "season");
  const none = { pending: "0", finalizing: "0", finalized: "0", cancelled: "0", takenBack: "0" };
  expect(payout).toMatchObject({
    id: "season",
    name: "season",
    status: "PENDING",
    fileName: null,
    partCount: null,
    stored: 5,
    transferCount: 5,
    counts: { pending: 2, onHold: 0, awaitingApproval: 0, finalizing: 0, finalized: 2, cancelled: 1 },
    amounts: [
      {
        ...none,
        pointType: "PHASE2_POINTS",
        points: "90071992547409932.000000000001",
        paid: "90071992547409931.000000000001",
        notPaid: "1",
        pending: "1",
        finalized: "180143985094819861.000000000002",
        cancelled: "1",
        takenBack: large,
      },
      { ...none, pointType: "PHASE2_GOLD", points: "1", pending: "1" },
    ],
    submittedBy: [context().actor],
    checked: null,
  });
  expect(payout.parts.map(({ id }) => id)).toEqual(["a", "b", "c", "gold", "d"]);
  const dueAt = payout.parts.map(({ finalizeAt }) => finalizeAt);
  expect([payout.firstDueAt, payout.lastDueAt]).toEqual([dueAt[0], dueAt[3]]);
  const rows = (await listConsoleBatches(ann(), { contractAddress: contract })).batches;
  const shown = new Map(rows.map(({ id, payout }) => [id, payout]));
  const gold = { id: "season", stored: 1, points: "1", part: null, isWhole: true };
  expect(shown.get("gold")).toMatchObject(gold);
  expect(shown.get("c")).toMatchObject({ stored: 4, points: "180143985094819862.000000000002" });
  expect(shown.get("c")?.nextDueAt).toBe(payout.parts[2]!.finalizeAt);
  expect(shown.get("r")).toBeNull();
  await holdBatch(ann(), { contractAddress: contract, batchId: "c", reason: "check" });
  const [held] = (await listConsoleBatches(ann(), { contractAddress: contract, held: true })).batches;
  expect(held!.payout!.nextDueAt).toBeNull();
  await expect(pageOf(contract, "another")).rejects.toMatchObject({ code: "payout_not_found" });
  await cancelBatch(context(), { contractAddress: contract, batchId: "c" });
  await cancelBatch(context(), { contractAddress: contract, batchId: "gold" });
  expect((await pageOf(contract, "season")).status).toBe("PARTLY_CANCELLED");
});

test("a viewer sees payouts and cannot release one", async () => {
  const contract = await wholeFile();
  const { payouts } = callerOf(db, "viewer");
  const key = { contractAddress: contract, payoutId: "f" };
  const releasing = payouts.release({ ...key, seen: { batches: 3, points: "6" } });
  await expect(releasing).rejects.toThrow("This requires the role operator. Your role is viewer.");
  expect((await payouts.get(key)).counts).toMatchObject({ pending: 3, onHold: 3 });
});

describe("whatever people do with a file, in any order", () => {
  const STEPS = 60;

  async function bulk(action: BulkAction, contract: string) {
    const chosen = { filters: { contractAddress: contract, payoutId: "f" } };
    const { jobId, changeable } = await previewBulk(ann(), { action, chosen });
    if (changeable.batches === 0) return;
    await startBulk(ann(), { jobId, reason: "walk", secondsToFinalize: 0 });
    await workBulk(db, { budgetSeconds: 60 });
  }

  const ids = async (contract: string, status: string) =>
    (await statuses(contract)).filter((one) => one.status === status).map(({ id }) => id);

  type Step = (contract: string, pick: (below: number) => number) => Promise<unknown>;
  const ofOne =
    (status: string, change: (key: ReturnType<typeof part>) => unknown): Step =>
    async (contract, pick) => {
      const all = await ids(contract, status);
      if (all.length > 0)
        await change({ contractAddress: contract, batchId: all[pick(all.length)]!, reason: "walk" });
    };
  const STEPS_OF: Record<string, Step> = {
    store: (contract, pick) => store(contract, 1 + pick(3)),
    "store again under another ID": (contract, pick) => resend(contract, 1 + pick(3), `x${pick(1000)}`),
    correct: async (contract, pick) => {
      const all = await statuses(contract);
      const stopped = all.filter(({ id }) => id.startsWith("f.00"));
      const open = stopped.filter(
        ({ id }) => !stopped.some((one) => one.id.at(4) === id.at(4) && one.status !== "CANCELLED"),
      );
      const corrects = open[pick(open.length)]?.id;
      const number = Number(corrects?.at(4));
      if (corrects) await resend(contract, number, `f.00${number}-${pick(1000)}`, corrects);
    },
    hold: ofOne("PENDING", (key) => holdBatch(ann(), key)),
    release: ofOne("PENDING", (key) => releaseBatch(ann(), key)),
    cancel: ofOne("PENDING", (key) => cancelBatch(ann(), key)),
    "take one back": ofOne("FINALIZED", (key) =>
      reverseBatch(ann(), LIMITS, { ...key, secondsToFinalize: 0 }),
    ),
    "hold all": (contract) => bulk("hold", contract),
    "release all": (contract) => bulk("release", contract),
    "cancel all": (contract) => bulk("cancel", contract),
    "take back": (contract) => bulk("reverse", contract),
    "cancel the payout": (contract) => cancelPayout(context(), { contractAddress: contract, payoutId: "f" }),
    "release the payout": async (contract) => release(contract, (await pageOf(contract)).waiting),
    finalize: () => finalize(),
  };
  /** How often each is chosen, so that files become whole, are paid, and are taken back. */
  const WEIGHTS: Record<string, number> = {
    ...{ store: 12, correct: 12, "release the payout": 10, finalize: 8, release: 4, "release all": 4 },
    ...{ hold: 2, cancel: 2, "take one back": 2, "take back": 2, "hold all": 1, "cancel all": 1 },
    ...{ "cancel the payout": 1, "store again under another ID": 1 },
  };
  const NAMES = Object.keys(STEPS_OF).flatMap((name) => Array<string>(WEIGHTS[name]!).fill(name));

  const resend = (contract: string, number: number, batchId: string, corrects?: string) => {
    const payout = { id: "f", part: number, partCount: PARTS.length, fileName: "payout.csv" };
    const batch = batchOf(contract, [[number, "2"]], { batchId });
    return submitBatch(ann(), LIMITS, { ...batch, payout, corrects });
  };

  /**
   * What people have of the file, added up in each way that the service does. A total that people read, such as
   * the page's or the report's, is one more entry here.
   */
  async function totalsOf(contract: string): Promise<Record<string, string>> {
    const address = addressToBytes(contract);
    const [byBatches] = await db.sql<[{ total: string }]>`
      select trim_scale(coalesce(sum(case when reverses_seq is null then points else -points end), 0))::text as total
      from batches where contract_address = ${address} and status = 'FINALIZED'`;
    const { finalizedSentCumulative, receivedCumulative } = await balance(contract);
    const amounts = (await pageOf(contract).catch(() => null))?.amounts[0];
    const [paid, takenBack] = [amounts?.finalized ?? "0", amounts?.takenBack ?? "0"];
    return {
      batches: byBatches.total,
      account: String(Number(finalizedSentCumulative) - Number(receivedCumulative)),
      "page, by status": String(Number(paid) - Number(takenBack)),
    };
  }

  const reached = new Set<string>();
  test.each([1, 4, 10, 11])(
    "nothing is paid before the file is whole and released, everyone is paid once, and all sums agree: seed %i",
    async (seed) => {
      const pick = numbersFrom(seed);
      const contract = await newContract();
      const done: string[] = [];
      for (let step = 0; step < STEPS; step++) {
        const name = NAMES[pick(NAMES.length)]!;
        const outcome = await STEPS_OF[name]!(contract, pick).then(
          () => "done",
          (error: unknown) => {
            if (!(error instanceof DomainError)) throw error;
            return error.code;
          },
        );
        done.push(`${name}: ${outcome}`);
        const parts = await db.sql<{ part: number; status: string; waits: boolean }[]>`
          select p.part, b.status, b.status = 'PENDING' and b.held_for_payout as waits
          from payout_parts p join batches b on b.contract_address = p.contract_address and b.seq = p.batch_seq
          where p.contract_address = ${addressToBytes(contract)}`;
        const paid = parts.filter(({ status }) => status === "FINALIZED");
        const released = parts.filter(({ status, waits }) => status !== "CANCELLED" && !waits);
        const [decided] = await db.sql`
          select 1 from audit_log
          where action = 'payout.release' and target = ${`payout:${contract.toLowerCase()}/f`}`;
        if (released.length > 0) {
          expect(new Set(parts.map((one) => one.part)).size, done.join("\n")).toBe(PARTS.length);
          expect(decided, done.join("\n")).toBeDefined();
        }
        for (const number of PARTS)
          expect(paid.filter((one) => one.part === number).length, done.join("\n")).toBeLessThanOrEqual(1);
        const totals = await totalsOf(contract);
        for (const { status } of parts) reached.add(status);
        if (paid.length > 0 && totals.account === "0") reached.add("taken back");
        if (paid.length === PARTS.length) reached.add("all paid");
        expect(new Set(Object.values(totals)).size, `${done.join("\n")} ${JSON.stringify(totals)}`).toBe(1);
      }
      await expectLedgerToBalance(db);
    },
    60_000,
  );

  test("the walks have paid whole files, taken them back, and cancelled parts", () =>
    expect([...reached].sort()).toEqual(["CANCELLED", "FINALIZED", "PENDING", "all paid", "taken back"]));
});

describe("over /v1", () => {
  async function withToken(scopes: readonly TokenScope[] = DEFAULT_SCOPES) {
    const contractAddress = await newContract();
    const asked = { contractAddress, name: "test", scopes: [...scopes], expiresAt: null };
    const { token } = await createAccessToken(context("ops"), asked);
    const send = (method: string, path: string, body?: object) =>
      callApi(token, method, `/v1/contracts/${contractAddress}${path}`, body);
    return { contractAddress, send };
  }
  const body = (to: number, more: object = {}) => ({
    pointType: "PHASE2_POINTS",
    secondsToFinalize: 3600,
    transfers: [{ toAddress: wallet(to), points: "1.5" }],
    ...more,
  });

  test("batches with a payoutId, sent by POST or PUT, are read and cancelled as one; the first ID is kept, and it is not part of the digest", async () => {
    const { send } = await withToken();
    await send("POST", "/batches", body(1, { payoutId: "season-3" }));
    await send("PUT", "/batches/b", body(2, { payoutId: "season-3" }));
    await send("PUT", "/batches/alone", body(2));
    const digestOf = async (id: string) => (await send("GET", `/batches/${id}`)).body.batch.digest;
    expect(await digestOf("b")).toBe(await digestOf("alone"));
    expect((await send("PUT", "/batches/b", body(2, { payoutId: "other" }))).status).toBe(200);
    expect((await send("PUT", "/batches/b", body(2))).status).toBe(200);
    expect((await send("GET", "/batches/b")).body.batch.payoutId).toBe("season-3");
    expect((await send("GET", "/batches/alone")).body.batch).not.toHaveProperty("payoutId");
    await send("DELETE", "/batches/b");
    const { payout } = (await send("GET", "/payouts/season-3")).body;
    expect(payout).toMatchObject({
      status: "PENDING",
      batchCount: 2,
      counts: { pending: 1, cancelled: 1 },
      amounts: [{ points: "1.5", paid: "0", notPaid: "1.5", pending: "1.5", cancelled: "1.5" }],
      notPaid: [{ batchId: "b", transferCount: 1, points: "1.5" }],
    });
    expect(payout.parts.map(({ status }: { status: string }) => status)).toEqual(["PENDING", "CANCELLED"]);
    const cancelled = { payoutId: "season-3", counts: { ...payout.counts, pending: 0, cancelled: 2 } };
    expect((await send("DELETE", "/payouts/season-3")).body).toEqual({
      ...{ success: true, ...cancelled },
      cancelled: 1,
      left: 0,
    });
    expect((await send("DELETE", "/payouts/season-3")).body).toMatchObject({ ...cancelled, cancelled: 0 });
    expect((await send("GET", "/payouts/season-3")).body.payout.status).toBe("CANCELLED");
    const notFound = { status: 404, body: { code: "payout_not_found" } };
    expect(await send("GET", "/payouts/other")).toMatchObject(notFound);
  });

  test("a cancel leaves what is finalized, and returns the points of the rest to the contract", async () => {
    const { contractAddress, send } = await withToken();
    for (const [id, wait] of Object.entries({ a: 0, b: 60, c: 60 }))
      await storeNamed(contractAddress, "season", id, { secondsToFinalize: wait });
    await finalize();
    expect((await send("DELETE", "/payouts/season")).body).toMatchObject({
      cancelled: 2,
      counts: { pending: 0, finalized: 1, cancelled: 2 },
    });
    expect((await send("GET", "/payouts/season")).body.payout.status).toBe("PARTLY_CANCELLED");
    expect(await balance(contractAddress)).toMatchObject({ pendingSent: "0", finalizedSentCumulative: "1" });
  });

  test("a payout of 1,050 batches is cancelled by one call, some hundred in a statement: each has its event and its points come back", async () => {
    const { contractAddress, send } = await withToken();
    const hook = { url: "https://example.com/hook", events: ["batch.cancelled" as const] };
    const rules = { serviceSecret: "secret-of-this-test", allowPrivate: false };
    await createEndpoint(ann(), { contractAddress, ...hook }, rules);
    await storeMany(contractAddress, 1050);
    const none = { pending: 0, onHold: 0, awaitingApproval: 0, finalizing: 0, finalized: 0 };
    expect((await send("DELETE", "/payouts/large")).body).toEqual({
      success: true,
      payoutId: "large",
      cancelled: 1050,
      left: 0,
      counts: { ...none, cancelled: 1050 },
    });
    expect(await balance(contractAddress)).toMatchObject({ pendingSent: "0" });
    expect(await balance(contractAddress, "PHASE2_GOLD")).toMatchObject({ pendingSent: "0" });
    const [changed] = await db.sql<{ statements: number; dated: number; by: string }[]>`
      select count(distinct xmin::text)::int as statements, min(cancelled_by) as by,
        count(*) filter (where cancelled_at >= created_at and cancel_request_id is not null)::int as dated
      from batches where contract_address = ${addressToBytes(contractAddress)}`;
    expect(changed).toMatchObject({ dated: 1050, by: "token:test" });
    expect(changed!.statements).toBeLessThanOrEqual(10);
    // A batch that the page shows and does not name as not paid would be one that was sent again.
    const page = await pageOf(contractAddress, "large");
    expect([page.notPaidCount, page.transferCount, page.parts.length]).toEqual([1050, 1050, 200]);
    expect(page.notPaid.map(({ batchId }) => batchId).sort()).toEqual(page.parts.map(({ id }) => id).sort());
    expect((await send("GET", "/payouts/large")).body.payout.notPaid).toHaveLength(100);
    const events = await db.sql`
      select count(*)::int as count, count(distinct batch_seq)::int as batches from webhook_deliveries
      where contract_address = ${addressToBytes(contractAddress)} and event = 'batch.cancelled'`;
    expect([...events]).toEqual([{ count: 1050, batches: 1050 }]);
  });

  test("a cancel that runs out of time says how many are left, and a repeat continues with them", async () => {
    const { contractAddress, send } = await withToken();
    await storeMany(contractAddress, 600);
    // Reading what is pending takes more than half of the time. Even so, the first group is cancelled.
    let hasRead = false;
    const done = vi.spyOn(Errand.prototype, "note").mockImplementation((statement) => {
      hasRead ||= statement.includes("order by b.finalize_at");
    });
    const bound = vi.spyOn(Deadline.prototype, "leftMs");
    bound.mockImplementation(() => (hasRead ? 4000 : 10_000));
    const first = (await send("DELETE", "/payouts/large")).body;
    bound.mockRestore();
    done.mockRestore();
    expect(first).toMatchObject({ success: true, cancelled: 250, left: 350 });
    expect(first.detail).toBe("350 batches are still PENDING. Repeat the call to cancel more.");
    expect(await balance(contractAddress, "PHASE2_GOLD")).not.toMatchObject({ pendingSent: "0" });
    expect((await send("DELETE", "/payouts/large")).body).toMatchObject({
      cancelled: 350,
      left: 0,
      counts: { pending: 0, cancelled: 600 },
    });
  });

  test("a group that staff cancel has an entry of the audit log for each batch", async () => {
    const contract = await newContract();
    await storeMany(contract, 5);
    const ids = ["large.0", "large.1", "large.3", "not stored"];
    const group = { contractAddress: contract, batchIds: ids };
    expect([await cancelGroup(ann(), group), await cancelGroup(ann(), group)]).toEqual([3, 0]);
    const audited = await db.sql<{ target: string }[]>`
      select target from audit_log where actor = ${ANN} and action = 'batch.cancel'
        and target like ${`batch:${contract.toLowerCase()}/large.%`} order by target`;
    expect(audited.map(({ target }) => target.split("/")[1])).toEqual(ids.slice(0, 3));
  });

  test("a group reads the batches that it is given, however many more the contract has pending", async () => {
    const contract = await newContract();
    await storeMany(contract, 900);
    await db.sql`analyze batches`;
    const ids = Array.from({ length: 20 }, (_, number) => `large.${number * 3}`);
    const { result, sent } = await statementsOf(db.url, (sql) =>
      cancelGroup({ ...context(), db: { ...db, sql } }, { contractAddress: contract, batchIds: ids }),
    );
    expect([result, sent.length]).toEqual([20, 1]);
    for (const generic of [false, true]) {
      const [{ text, values }] = sent as [(typeof sent)[0]];
      const steps = nodesOf(await explain(db, text, values, { generic, avoidSeqScan: true }));
      expect(steps.filter((step) => step["Node Type"] === "Seq Scan")).toEqual([]);
      const indexes = steps.map((step) => step["Index Name"]).filter((name) => name?.startsWith("batches"));
      expect(indexes).toContain("batches_id_once");
      for (const name of indexes)
        expect(["batches_id_once", "batches_contract_address_seq_pk"]).toContain(name);
    }
  });

  test("reading needs batches:read, cancelling batches:write, and a token sees its own contract's payouts alone", async () => {
    const reader = await withToken(["batches:read"]);
    const writer = await withToken(["batches:write"]);
    await storeNamed(reader.contractAddress, "season", "a", { secondsToFinalize: 60 });
    expect((await reader.send("GET", "/payouts/season")).status).toBe(200);
    for (const refused of [
      await reader.send("DELETE", "/payouts/season"),
      await writer.send("GET", "/payouts/season"),
    ])
      expect(refused).toMatchObject({ status: 403, body: { code: "missing_scope" } });
    const ofOthers = await writer.send("DELETE", "/payouts/season");
    expect(ofOthers.body.code).toBe("payout_not_found");
    expect((await pageOf(reader.contractAddress, "season")).counts.pending).toBe(1);
  });
});
