import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/db/client";
import { previewBulk } from "@/server/batches/bulk/preview-bulk";
import { getBulkJob } from "@/server/batches/bulk/read-bulk";
import { startBulk } from "@/server/batches/bulk/start-bulk";
import type { ServiceContext } from "@/server/kernel/context";
import { startApp } from "../contenders";
import type { LoadPlan } from "../load/load-plan";
import { measureLoad } from "../load/measure-load";
import { ratioOf, spreadOf, table, withSpread } from "../measure";
import type { BenchOptions, PartReport } from "../report";
import { seedBatches } from "../seed";
import { makeCallers, type World } from "../world";

const BATCHES_PER_JOB = 10_000;
/** One in five seeded batches is PENDING: two of every ten per caller. */
const SEEDED_PER_JOB = 5 * BATCHES_PER_JOB;
const CALLERS = 16;
const TRANSFERS = 10;
const KEPT_LEAST = 0.9;
const PERSON = "bench@example.com";

/** Submits while one job cancels 10,000 batches of the same contracts, compared with submits alone, in turn. */
export async function benchBulk({ rounds, seconds }: BenchOptions, world: World): Promise<PartReport> {
  const { db, url } = await world.newDatabase("bulk");
  const callers = await makeCallers(db, CALLERS);
  // The last ten of each caller may be cut off before its pending ones.
  const batches = SEEDED_PER_JOB * rounds + 10 * CALLERS;
  await seedBatches(db, { callers, batches, transfersEach: 4, recipients: 10_000, due: false });
  await db.sql`insert into staff (email, role) values (${PERSON}, 'operator')`;
  const app = await startApp(world, { databaseUrl: url, environment: { FINALIZER: "on" } });
  const plan: LoadPlan = {
    url: app.url,
    connections: CALLERS,
    warmUpSeconds: 1,
    seconds,
    work: { kind: "submit", transfers: TRANSFERS, letters: "eip55", bodies: 200 },
    callers,
  };
  // Not paused in between, since the job would rest too.
  const submit = async () => (await measureLoad(plan, null, world.postgresPid)).requestsPerSecond;
  const alone: number[] = [];
  const beside: number[] = [];
  const jobSeconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // In turn, so that neither always follows the other.
    if (round % 2 === 0) alone.push(await submit());
    const rates: number[] = [];
    const job = await startJob(db);
    while (!job.isOver) rates.push(await submit());
    // The last run may have outlasted the job.
    beside.push(average(rates.length > 1 ? rates.slice(0, -1) : rates));
    jobSeconds.push(await job.seconds);
    if (round % 2 === 1) alone.push(await submit());
  }
  const kept = ratioOf(beside, alone);
  return {
    title: `Submits while one job cancels ${BATCHES_PER_JOB.toLocaleString("en")} batches`,
    text: table(
      ["submits/s alone", "submits/s beside the job", "kept", "job, seconds"],
      [
        [
          withSpread(spreadOf(alone)),
          withSpread(spreadOf(beside)),
          withSpread(kept),
          withSpread(spreadOf(jobSeconds)),
        ],
      ],
    ),
    figures: [
      {
        key: "bulk.kept",
        what: "submits beside a bulk cancel, share of submits alone",
        worse: "lower",
        target: { atLeast: KEPT_LEAST },
        ...kept,
      },
      { key: "bulk.seconds", what: "bulk cancel of 10,000 beside submits, seconds", ...spreadOf(jobSeconds) },
    ],
  };
}

/** Cancels the oldest of the seeded batches that are still PENDING. */
async function startJob(db: Database) {
  const [range] = await db.sql<{ after: Date; before: Date }[]>`
    select min(created_at) - interval '1 millisecond' as after, max(created_at) + interval '1 millisecond' as before
    from (select created_at from batches where submitted_by = 'token:seed' and status = 'PENDING' order by created_at
      limit ${BATCHES_PER_JOB}::int) as share`;
  const ctx: ServiceContext = { db, actor: `staff:${PERSON}`, requestId: randomUUID() };
  const filters = {
    statuses: ["PENDING" as const],
    createdAfter: new Date(range!.after).toISOString(),
    createdBefore: new Date(range!.before).toISOString(),
  };
  const { jobId, changeable } = await previewBulk(ctx, { action: "cancel", chosen: { filters } });
  if (changeable.batches !== BATCHES_PER_JOB) throw new Error(`${changeable.batches} batches to cancel`);
  const startedAt = performance.now();
  await startBulk(ctx, { jobId, reason: "benchmark" });
  const job = { isOver: false, seconds: Promise.resolve(0) };
  job.seconds = (async () => {
    for (;;) {
      const { status, done } = await getBulkJob(ctx, { jobId });
      if (status !== "RUNNING") {
        job.isOver = true;
        if (done.batches !== BATCHES_PER_JOB) throw new Error(`the job cancelled ${done.batches}`);
        return (performance.now() - startedAt) / 1000;
      }
      await sleep(500);
    }
  })();
  return job;
}

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
