import { and, eq } from "drizzle-orm";
import { type Database, within } from "@/db/client";
import { batches } from "@/db/schema/batches";
import { isDatabaseUnavailable, isStatementTimeout } from "../../kernel/database-errors";
import { log } from "../../kernel/log";
import { addressFromBytes } from "../../kernel/values/addresses";
import { isOdd } from "../list/findings";
import { type BatchPlace, findSuspects } from "./find-suspects";
import { reviewAtSubmit } from "./review-batch";

/** Max batches per transaction, so that screening them does not delay due batches. */
const BATCHES_MAX = 100;
/** Batches per attempt. After a failure fewer are tried, until the one that cannot be reviewed is alone. */
const ATTEMPTS = [BATCHES_MAX, 10, 1] as const;
/** Time limit of each statement, because due batches wait while batches are reviewed. */
const STATEMENT_SECONDS_MAX = 2;
/** Keys of the advisory lock that allows one reviewer at a time, over all instances on the database. */
const REVIEW_LOCK = { space: 7_262_545, key: 1 } as const;

interface NewBatch extends BatchPlace {
  awaitsReview: boolean;
}

/**
 * Reviews the next batches that the recipient index has reached, in order of creation, and stores what is unusual. Returns
 * the number of batches; 0 when another caller is reviewing. A batch that fails alone, after it failed among others, is
 * skipped with a warning, so that it does not keep later ones from being reviewed. Its page still compares it.
 * @param endsAt by `performance.now()`: from then on no further batch is compared in full, except the first one
 */
export async function reviewNewBatches(db: Database, endsAt = Number.POSITIVE_INFINITY): Promise<number> {
  const [first] = await nextBatches(db, 1);
  if (!first) return 0;
  let failure: unknown;
  for (const most of ATTEMPTS) {
    try {
      return await reviewNext(db, most, endsAt);
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isStatementTimeout(error)) throw error;
      failure = error;
    }
  }
  return await skip(db, first, failure);
}

/** The progress moves in the same transaction, so each batch is reviewed once, whatever its status is by then. */
async function reviewNext(db: Database, most: number, endsAt: number): Promise<number> {
  return await db.sql.begin(async (tx) => {
    const on = within(db, tx);
    if (!(await lockReviews(on))) return 0;
    await tx`select set_config('statement_timeout', ${String(STATEMENT_SECONDS_MAX * 1000)}, true)`;
    const next = await nextBatches(on, most);
    if (next.length === 0) return 0;
    const suspects = await findSuspects(on, next);
    let reviewed = 0;
    for (let compared = 0; reviewed < next.length; reviewed++) {
      const batch = next[reviewed]!;
      const isSuspect = suspects.has(batch.seq);
      if (isSuspect && compared > 0 && performance.now() >= endsAt) break;
      const isUnusual = isSuspect && (await reviewSuspect(on, batch));
      if (isSuspect) compared++;
      if (batch.awaitsReview) await endWait(on, batch, isUnusual ? "UNUSUAL" : null);
    }
    await moveProgress(on, next[reviewed - 1]!);
    return reviewed;
  });
}

async function skip(db: Database, failed: BatchPlace, error: unknown): Promise<number> {
  return await db.sql.begin(async (tx) => {
    const on = within(db, tx);
    if (!(await lockReviews(on))) return 0;
    // Unless another instance has reviewed it since.
    const [next] = await nextBatches(on, 1);
    if (next?.seq !== failed.seq) return 0;
    await moveProgress(on, failed);
    if (next.awaitsReview) await endWait(on, failed, "NOT_REVIEWED");
    const contractAddress = addressFromBytes(failed.contractAddress);
    log().warn({ error, contractAddress, seq: failed.seq }, "a new batch could not be reviewed");
    return 1;
  });
}

/** A batch that waited for its review is free, unless a person must approve it or somebody decided before. */
async function endWait(
  { sql }: Database,
  { contractAddress, seq }: BatchPlace,
  need: "UNUSUAL" | "NOT_REVIEWED" | null,
): Promise<void> {
  await sql`
    update batches set approval_need = ${need}, awaits_approval = ${need !== null}
    where contract_address = ${contractAddress} and seq = ${seq}::bigint
      and status = 'PENDING' and approval_need = 'REVIEW' and awaits_approval`;
}

async function lockReviews({ sql }: Database): Promise<boolean> {
  const [lock] = await sql<{ isMine: boolean }[]>`
    select pg_try_advisory_xact_lock(${REVIEW_LOCK.space}::int, ${REVIEW_LOCK.key}::int) as "isMine"`;
  return lock!.isMine;
}

async function moveProgress({ sql }: Database, { createdAt, seq }: BatchPlace): Promise<void> {
  await sql`
    insert into review_progress as p (singleton, created_at, batch_seq)
    values (true, ${createdAt}::timestamptz, ${seq}::bigint)
    on conflict (singleton) do update set created_at = excluded.created_at, batch_seq = excluded.batch_seq`;
}

/** Reviews until no new batches are left or the time budget ends. A failure is logged and must not stop the finalizer. */
export async function catchUpReviews(db: Database, budgetSeconds: number): Promise<void> {
  const endsAt = performance.now() + budgetSeconds * 1000;
  try {
    while ((await reviewNewBatches(db, endsAt)) > 0 && performance.now() < endsAt);
  } catch (error) {
    log().warn({ error, away: isDatabaseUnavailable(error) }, "reviewing new batches failed, retrying");
  }
}

/** Submits in flight are behind the recipient index, so the order is final up to it. */
async function nextBatches({ sql }: Database, most: number): Promise<NewBatch[]> {
  return await sql<NewBatch[]>`
    select contract_address as "contractAddress", seq::text, created_at::text as "createdAt",
      awaits_approval and approval_need = 'REVIEW' as "awaitsReview" from batches
    where (created_at, seq) > (
        select coalesce(max(created_at), '-infinity'), coalesce(max(batch_seq), 0) from review_progress)
      and (created_at, seq) <= (select created_at, batch_seq from recipient_progress)
    order by batches.created_at, batches.seq limit ${most}`;
}

/** Reviews one batch, and stores what it finds if something is unusual. @returns whether something is */
export async function reviewSuspect(
  db: Database,
  { contractAddress, seq }: Pick<BatchPlace, "contractAddress" | "seq">,
): Promise<boolean> {
  const [batch] = await db.orm
    .select()
    .from(batches)
    .where(and(eq(batches.contractAddress, contractAddress), eq(batches.seq, BigInt(seq))));
  const found = await reviewAtSubmit({ db }, batch!);
  if (!isOdd(found.level)) return false;
  await db.sql`
    insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at)
    values (${contractAddress}, ${seq}::bigint, ${batch!.createdAt.toISOString()}::timestamptz, ${found.level},
      ${JSON.stringify(found)}::text::jsonb, now())
    on conflict (contract_address, batch_seq) do nothing`;
  return true;
}
