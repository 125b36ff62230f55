import { beforeAll, expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch } from "@/server/batches/change/hold-batch";
import type { BatchFiltersInput } from "@/server/batches/list/console-schema";
import { findBatch } from "@/server/batches/list/get-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { describeBatch } from "@/server/batches/review/describe-batch";
import { deleteExpired } from "@/server/finalizer/delete-expired";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { createEndpoint } from "@/server/webhooks/endpoints";
import { LIMITS, newPerson, setRule, shifted, times, wallet } from "@/testing/factories";
import { dyingAfter } from "@/testing/races";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { exportBulkItems, getBulkJob, startBulk, stopBulk } from "./jobs";
import { previewBulk } from "./preview-bulk";
import type { BulkAction } from "./schema";
import { workBulk } from "./work-bulk";

const { db, context, newContract, submit, finalize, balance } = useLedger({ poolMax: 20 });

const ANN = "staff:ann@example.com";
const BOB = "staff:bob@example.com";
const ann = () => context(ANN);
const bob = () => context(BOB);
const BUDGET = { budgetSeconds: 60 };

beforeAll(async () => {
  for (const [name, role] of [
    ["ann", "operator"],
    ["operator", "operator"],
    ["admin", "admin"],
  ] as const)
    await newPerson(db, { email: `${name}@example.com`, role });
});

/** A contract with pending batches `b0`, `b1`, …, of 1, 2, … points. */
async function contractWith(count: number, secondsToFinalize = 3600): Promise<string> {
  const contract = await newContract();
  await times(count, (at) => submit(contract, [[1, `${at + 1}`]], { batchId: `b${at}`, secondsToFinalize }));
  return contract;
}

/** The same with a last batch in gold, which a job changes by another statement. */
async function contractWithGold(count: number): Promise<string> {
  const contract = await contractWith(count);
  const gold = { batchId: "gold", pointType: "PHASE2_GOLD" as const, secondsToFinalize: 3600 };
  await submit(contract, [[1, "1"]], gold);
  return contract;
}

const preview = (action: BulkAction, filters: BatchFiltersInput) =>
  previewBulk(ann(), { action, chosen: { filters } });

/** A started job over all batches that match. */
async function start(action: BulkAction, filters: BatchFiltersInput, reason = "wrong file"): Promise<string> {
  const { jobId } = await preview(action, filters);
  return (await startBulk(ann(), { jobId, reason })).jobId;
}

const endLeases = () =>
  db.sql`update bulk_jobs set lease_until = now() - interval '1 second' where finished_at is null`;
const auditOf = (action: string, contract: string) =>
  db.sql<{ id: string; actor: string; target: string; detail: Record<string, string> }[]>`
    select id, actor, target, detail from audit_log
    where action = ${action} and target like ${`batch:${contract}/%`} order by target`;
const statusOf = async (contract: string, id: string) => (await findBatch(ann(), contract, id)).status;

test("a preview counts batches, transfers and exact points per type beyond 2^53, and changes nothing", async () => {
  const contract = await newContract();
  const large = "90071992547409930.000000000001";
  const rows = [1, 2].map((to) => [to, large] as const);
  for (const batchId of ["p1", "p2"]) await submit(contract, rows, { batchId, secondsToFinalize: 60 });
  const gold = { pointType: "PHASE2_GOLD" as const, secondsToFinalize: 60 };
  await submit(contract, [[1, "0.000001"]], { ...gold, batchId: "g1" });
  expect(await preview("cancel", { contractAddress: contract })).toMatchObject({
    action: "cancel",
    batches: 3,
    changeable: {
      batches: 3,
      transfers: 5,
      amounts: [
        { pointType: "PHASE2_POINTS", points: "360287970189639720.000000000004" },
        { pointType: "PHASE2_GOLD", points: "0.000001" },
      ],
    },
    obstacles: [],
  });
  expect(await statusOf(contract, "p1")).toBe("PENDING");
});

test("a preview says which batches cannot be changed, and why", async () => {
  const contract = await contractWith(2, 0);
  await finalize();
  for (const id of ["late1", "late2", "late3"])
    await submit(contract, [[1, "5"]], { batchId: id, secondsToFinalize: 60 });
  const key = (batchId: string) => ({ contractAddress: contract, batchId, reason: "odd" });
  await cancelBatch(ann(), key("late1"));
  await holdBatch(ann(), key("late2"));
  const whys = async (action: BulkAction) => {
    const { changeable, obstacles } = await preview(action, { contractAddress: contract });
    return [
      changeable.batches,
      obstacles.map(({ why, batches, amounts }) => [why, batches, amounts[0]!.points]),
    ];
  };
  const final = [
    ["CANCELLED", 1, "5"],
    ["FINALIZED", 2, "3"],
  ];
  expect(await whys("cancel")).toEqual([2, final]);
  expect(await whys("hold")).toEqual([1, [...final, ["HELD", 1, "5"]]]);
  expect(await whys("release")).toEqual([1, [...final, ["NOT_HELD", 1, "5"]]]);
  for (const id of ["late2", "late3"]) await cancelBatch(ann(), key(id));
});

test("the preview of a release counts what is paid within seconds: due, and not awaiting approval", async () => {
  const contract = await contractWith(1, 0);
  await submit(contract, [[1, "4"]], { batchId: "later", secondsToFinalize: 3600 });
  await setRule(db, contract, { threshold: "8" });
  await submit(contract, [[1, "8"]], { batchId: "waits", secondsToFinalize: 0 });
  for (const batchId of ["b0", "later", "waits"])
    await holdBatch(ann(), { contractAddress: contract, batchId, reason: "odd" });
  const { changeable, due } = await preview("release", { contractAddress: contract });
  expect([changeable.batches, due.batches, due.amounts[0]!.points]).toEqual([3, 1, "1"]);
});

test("a preview can be started by its person only, once, and within an hour", async () => {
  const contract = await contractWith(1);
  const { jobId } = await preview("cancel", { contractAddress: contract });
  const expired = { message: "The preview has expired. Select the batches again." };
  const input = { jobId, reason: "wrong file" };
  await expect(startBulk(bob(), input)).rejects.toMatchObject(expired);
  const shift = (minutes: number) =>
    db.sql.unsafe(
      `update bulk_jobs set frozen_at = ${shifted("frozen_at", 60 * minutes)} where id = '${jobId}'`,
    );
  await shift(-61);
  await expect(startBulk(ann(), input)).rejects.toMatchObject(expired);
  await shift(61);
  await startBulk(ann(), input);
  await startBulk(ann(), { jobId, reason: "another reason" });
  expect((await getBulkJob(ann(), { jobId })).reason).toBe("wrong file");
  const starts = await db.sql`select 1 from audit_log where target = ${`bulk:${jobId}`}`;
  expect(starts).toHaveLength(1);
  await workBulk(db, BUDGET);
  const none = await preview("cancel", { contractAddress: contract });
  await expect(startBulk(ann(), { ...input, jobId: none.jobId })).rejects.toMatchObject({
    message: "None of these batches can be changed.",
  });
});

test("a job cancels every batch for one reason, with an audit row each that has the job and its person", async () => {
  const contract = await contractWith(7);
  const url = "https://receiver.example.com/";
  const rules = { serviceSecret: "secret-of-this-test", allowPrivate: true };
  await createEndpoint(ann(), { contractAddress: contract, url, events: ["batch.cancelled"] }, rules);
  const jobId = await start("cancel", { contractAddress: contract }, "sent twice");
  expect(await workBulk(db, BUDGET)).toBe(7);
  expect(await balance(contract)).toMatchObject({ pendingSent: "0" });
  const audit = await auditOf("batch.cancel", contract);
  expect(audit.map(({ target }) => target)).toEqual(
    Array.from({ length: 7 }, (_, at) => `batch:${contract}/b${at}`),
  );
  for (const { actor, detail } of audit)
    expect([actor, detail]).toEqual([ANN, { reason: "sent twice", job: jobId }]);
  const sent = await db.sql`
      select 1 from webhook_deliveries where contract_address = ${addressToBytes(contract)}`;
  expect(sent).toHaveLength(7);
  const { timeline } = await describeBatch(ann(), { contractAddress: contract, batchId: "b3" });
  expect(timeline.at(-1)).toMatchObject({ event: "cancelled", by: ANN, reason: "sent twice" });
  expect(await getBulkJob(ann(), { jobId })).toMatchObject({
    status: "FINISHED",
    createdBy: ANN,
    batches: 7,
    open: { batches: 0 },
    done: { batches: 7, transfers: 7, amounts: [{ pointType: "PHASE2_POINTS", points: "28" }] },
    obstacles: [],
  });
});

test("a job leaves batches alone that were created after the preview, and gives other jobs their turn", async () => {
  const contract = await contractWith(2);
  const { jobId } = await preview("cancel", { contractAddress: contract });
  await submit(contract, [[1, "9"]], { batchId: "later", secondsToFinalize: 3600 });
  await startBulk(ann(), { jobId, reason: "wrong file" });
  await start("cancel", { contractAddress: await contractWith(1) });
  expect(await workBulk(db, BUDGET)).toBe(3);
  expect(await statusOf(contract, "later")).toBe("PENDING");
});

test("a job that stops payments comes before one that waits for longer", async () => {
  const [released, held] = [await contractWith(1), await contractWith(1)];
  await holdBatch(ann(), { contractAddress: released, batchId: "b0", reason: "wrong file" });
  await start("release", { contractAddress: released });
  await start("hold", { contractAddress: held });
  await workBulk(db, BUDGET);
  const [hold] = await auditOf("batch.hold", held);
  const [release] = await auditOf("batch.release", released);
  expect(Number(hold!.id)).toBeLessThan(Number(release!.id));
});

test("a job reports every batch with its result, and who was faster as a result, not as a failure", async () => {
  const contract = await contractWith(3);
  const jobId = await start("cancel", { contractAddress: contract, statuses: ["PENDING"] });
  await cancelBatch(bob(), { contractAddress: contract, batchId: "b1", reason: "mine" });
  expect(await workBulk(db, BUDGET)).toBe(2);
  const { status, done, obstacles } = await getBulkJob(ann(), { jobId });
  expect([status, done.batches]).toEqual(["FINISHED", 2]);
  expect(obstacles).toMatchObject([{ result: "OVERTAKEN", why: "CANCELLED", batches: 1 }]);
  const report = [];
  for await (const page of exportBulkItems(ann(), { jobId })) report.push(...page);
  expect(report.map(({ batchId, result, why }) => [batchId, result, why]).sort()).toEqual([
    ["b0", "DONE", null],
    ["b1", "OVERTAKEN", "CANCELLED"],
    ["b2", "DONE", null],
  ]);
  expect(report.find(({ batchId }) => batchId === "b1")).toMatchObject({ whyBy: BOB });
  expect(report[0]!.contractLabel).toMatch(/^Contract/);
  expect(await auditOf("batch.cancel", contract)).toHaveLength(3);
});

test("a job stops on request: no further batch is changed, and what was changed stays", async () => {
  const contract = await contractWithGold(5);
  const jobId = await start("cancel", { contractAddress: contract });
  let looks = 0;
  await workBulk(db, { ...BUDGET, isStopping: () => ++looks > 2 });
  const { done, open } = await getBulkJob(ann(), { jobId });
  expect([done.batches, open.batches]).toEqual([1, 5]);
  for (const by of [bob(), ann()]) await stopBulk(by, { jobId });
  await endLeases();
  expect(await workBulk(db, BUDGET)).toBe(0);
  expect(await getBulkJob(ann(), { jobId })).toMatchObject({ status: "STOPPED", stoppedBy: BOB, done, open });
  const stops = await db.sql`
      select actor from audit_log where action = 'bulk.stop' and target = ${`bulk:${jobId}`}`;
  expect([...stops]).toEqual([{ actor: BOB }]);
});

test("a job stops at the next statement when its person loses the role between two", async () => {
  const contract = await contractWithGold(3);
  const email = `${contract}@example.com`;
  await newPerson(db, { email, role: "operator" });
  const own = context(`staff:${email}`);
  const chosen = { filters: { contractAddress: contract } };
  const { jobId } = await previewBulk(own, { action: "cancel", chosen });
  await startBulk(own, { jobId, reason: "wrong file" });
  await db.sql.unsafe(`
      create function lose_role() returns trigger language plpgsql as $$ begin
        update staff set role = 'viewer' where email = '${email}'; return null; end $$;
      create trigger lose_role after update on batches for each row execute function lose_role()`);
  try {
    expect(await workBulk(db, BUDGET)).toBe(1);
  } finally {
    await db.sql`drop function lose_role cascade`;
  }
  expect(await getBulkJob(ann(), { jobId })).toMatchObject({
    status: "STOPPED",
    stoppedBy: "service",
    done: { batches: 1 },
    open: { batches: 3 },
    obstacles: [],
  });
});

test("a worker that is killed at any point loses nothing: another one continues, and each batch is changed exactly once", async () => {
  const deaths: number[] = [];
  for (let calls = 1; calls <= 81; calls += 4) {
    const contract = await contractWithGold(2);
    const jobId = await start("cancel", { contractAddress: contract });
    await workBulk(dyingAfter(db, calls), BUDGET).catch(() => undefined);
    const died = (await getBulkJob(ann(), { jobId })).status === "RUNNING";
    if (died) deaths.push((await auditOf("batch.cancel", contract)).length);
    const [leased] = await db.sql`select 1 from bulk_jobs where id = ${jobId} and lease_until > now()`;
    if (died && leased) expect(await workBulk(db, BUDGET)).toBe(0);
    await endLeases();
    await workBulk(db, BUDGET);
    const job = await getBulkJob(ann(), { jobId });
    expect([calls, job.status, job.done.batches, job.obstacles]).toEqual([calls, "FINISHED", 3, []]);
    expect(await auditOf("batch.cancel", contract)).toHaveLength(3);
  }
  // It died before the first change, between changes and after the last one.
  expect([...new Set(deaths)].sort()).toEqual([0, 1, 3]);
}, 60_000);

test("a job changes some hundred batches by one statement, cancels reversals with others, and one that is refused keeps no other", async () => {
  const contract = await contractWith(60, 0);
  await finalize();
  const reversal = (at: number) => ({ contractAddress: contract, batchId: `b${at}`, reversalId: `r${at}` });
  for (const at of [1, 2, 3]) await reverseBatch(ann(), LIMITS, { ...reversal(at), secondsToFinalize: 3600 });
  await times(60, (at) => submit(contract, [[1, "1"]], { batchId: `p${at}`, secondsToFinalize: 3600 }));
  // What a constraint or a trigger may do to a batch of the group.
  await db.sql`
      create function refuse_one() returns trigger language plpgsql as $$ begin
        if new.id = 'p7' then raise exception 'refused' using errcode = 'check_violation'; end if;
        return new; end $$`;
  await db.sql`
      create trigger refuse_one before update on batches for each row execute function refuse_one()`;
  const jobId = await start("cancel", { contractAddress: contract, statuses: ["PENDING"] });
  const recipient = async () => (await balance(wallet(1))).pendingSent;
  expect(await recipient()).toBe("9");
  try {
    expect(await workBulk(db, BUDGET)).toBe(62);
  } finally {
    await db.sql`drop function refuse_one cascade`;
  }
  expect([await recipient(), (await balance(contract)).pendingSent]).toEqual(["0", "1"]);
  expect((await getBulkJob(ann(), { jobId })).obstacles).toMatchObject([
    { result: "FAILED", why: "The database returned SQLSTATE 23514.", batches: 1 },
  ]);
  await start("cancel", { contractAddress: contract, statuses: ["PENDING"] });
  const held = await start("hold", { contractAddress: await contractWith(300) });
  expect(await workBulk(db, BUDGET)).toBe(301);
  const [statements] = await db.sql`
    select count(distinct xmin::text)::int as count from bulk_job_items where job_id = ${held}`;
  expect(statements!.count).toBe(2);
});

test("a batch that is locked is not tried again once the worker's time is over, and is changed in the next turn", async () => {
  const contract = await contractWith(1);
  const jobId = await start("cancel", { contractAddress: contract });
  await db.sql.unsafe(`
      create sequence tries;
      create function keep_locked() returns trigger language plpgsql as $$ begin
        perform nextval('tries'); raise exception 'locked' using errcode = 'lock_not_available'; end $$;
      create trigger keep_locked before update on batches for each row execute function keep_locked()`);
  const tried = async () => (await db.sql`select last_value::int from tries`)[0]!.last_value;
  try {
    let looks = 0;
    expect(await workBulk(db, { ...BUDGET, isStopping: () => ++looks > 2 })).toBe(0);
    expect(await tried()).toBe(1);
  } finally {
    await db.sql.unsafe("drop function keep_locked cascade; drop sequence tries");
  }
  expect(await workBulk(db, BUDGET)).toBe(1);
  expect((await getBulkJob(ann(), { jobId })).obstacles).toEqual([]);
});

test("a job that starts while its person makes an eleventh preview is kept", async () => {
  const contract = await contractWith(1);
  const first = (await preview("hold", { contractAddress: contract })).jobId;
  await times(9, () => preview("hold", { contractAddress: contract }));
  const next = await db.sql.begin(async (tx) => {
    await tx`update bulk_jobs set started_at = now(), lease_until = now(), reason = 'r', request_id = 'q'
      where id = ${first}`;
    const made = preview("hold", { contractAddress: contract });
    for (let waiting = 0; waiting === 0; )
      waiting = (
        await db.sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from bulk_jobs%'`
      ).length;
    return { made };
  });
  await next.made;
  const kept = await getBulkJob(ann(), { jobId: first });
  expect([kept.batches, kept.open.batches]).toEqual([1, 1]);
  await workBulk(db, BUDGET);
});

test("a viewer sees jobs, but cannot preview, start, stop or drive one", async () => {
  const contract = await contractWith(1);
  const jobId = await start("cancel", { contractAddress: contract });
  const { bulk } = callerOf(db, "viewer");
  const filters = { contractAddress: contract };
  for (const refused of [
    () => bulk.preview({ action: "cancel", chosen: { filters } }),
    () => bulk.start({ jobId, reason: "because" }),
    () => bulk.stop({ jobId }),
    () => bulk.work({ jobId }),
  ])
    await expect(refused()).rejects.toThrow("This requires the role operator. Your role is viewer.");
  expect((await bulk.get({ jobId })).status).toBe("RUNNING");
  await workBulk(db, BUDGET);
});

test("expired previews and jobs that ended 90 days ago are deleted with their items, and nothing else", async () => {
  const contract = await contractWith(2);
  const old = await start("hold", { contractAddress: contract });
  await workBulk(db, BUDGET);
  const recent = await start("release", { contractAddress: contract });
  await workBulk(db, BUDGET);
  const chosen = { filters: { contractAddress: contract } };
  const expired = (await previewBulk(bob(), { action: "hold", chosen })).jobId;
  const fresh = (await preview("hold", { contractAddress: contract })).jobId;
  await db.sql`update bulk_jobs set finished_at = now() - interval '91 days' where id = ${old}`;
  await db.sql`update bulk_jobs set frozen_at = now() - interval '61 minutes' where id = ${expired}`;
  await deleteExpired(db);
  const left = await db.sql<{ id: string; items: number }[]>`
    select j.id, count(i.position)::int as items from bulk_jobs j left join bulk_job_items i on i.job_id = j.id
    where j.id in (${old}, ${recent}, ${expired}, ${fresh}) group by j.id`;
  expect(left.map(({ id }) => id).sort()).toEqual([recent, fresh].sort());
  expect(await getBulkJob(ann(), { jobId: recent })).toMatchObject({ status: "FINISHED" });
  const orphans = await db.sql`select 1 from bulk_job_items where job_id in (${old}, ${expired})`;
  expect(orphans).toHaveLength(0);
});
