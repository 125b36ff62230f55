import type { Fragment } from "postgres";
import { v7 as uuidv7 } from "uuid";
import type { Database } from "@/db/client";
import { type Errand, endOf, FAIL_LATE } from "@/db/errand";
import { baseOf, endingItself } from "@/db/on-errand";
import { auditPersonChange } from "@/server/audit/audit-person-change";
import { requireCancelled } from "@/server/batches/list/get-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { announce } from "@/server/kernel/announce";
import type { ServiceContext } from "@/server/kernel/context";
import { postgresError } from "@/server/kernel/database-errors";
import { crashPoint, perDatabase } from "@/server/kernel/process";
import { isDistributed } from "@/server/kernel/shards";
import { afterChange } from "@/server/kernel/to-domain-error";
import { contractNotFound, readAccount } from "@/server/ledger/accounts";
import { SUBMIT_LOCK_SPACE, submitLockKey } from "@/server/ledger/creation-order";
import { packTransfers } from "@/server/ledger/packed-transfers";
import type { BatchLimits } from "@/terms/batch-limits";
import type { PointType } from "@/terms/batch-terms";
import { type PreparedBatch, prepareBatch } from "./digest";
import { refusePaid, storeWithReferences } from "./references";
import { storeTogether } from "./store-together";
import { contentOfStored, insufficientPoints, keyRequired, requireSameBatch } from "./submit-errors";
import { SubmitLine, sharesStatement } from "./submit-line";
import type { SubmitBatchInput } from "./submit-schema";

export interface SubmittedBatch {
  batchId: string;
  /** The same batch was already stored under this ID, and nothing was stored now. */
  replayed: boolean;
}

/**
 * Stores a batch and reserves its points in one statement: one transaction and one round trip. References
 * need another one.
 * @throws DomainError `insufficient_points`, `reference_already_paid`, `batch_id_conflict`,
 *   `idempotency_key_reused`, `batch_cancelled`, `contract_not_found`, `validation_failed` without a key that
 *   the contract requires, and those of `requireCancelled`
 */
export async function submitBatch(
  ctx: ServiceContext,
  limits: BatchLimits,
  given: SubmitBatchInput,
): Promise<SubmittedBatch> {
  const batchId = given.batchId ?? uuidv7();
  const batch = prepareBatch(given, limits);
  const input = await requireCancelled(ctx, given);
  try {
    crashPoint("before-submit");
    const isNew = await storeBatch(ctx, input, batchId, batch);
    crashPoint("after-submit");
    if (isNew) return { batchId, replayed: false };
  } catch (cause) {
    if (postgresError(cause)?.constraint !== "accounts_available") throw cause;
    await refusePaid(ctx, input);
    const account = await readAccount(ctx.db, addressToBytes(input.contractAddress), input.pointType);
    throw insufficientPoints(input, { available: account.available, total: batch.total, cause });
  }
  // Perhaps by this very request, when the reply to a statement with other batches was lost.
  return afterChange(recognizeRepeat(ctx, input.contractAddress, batchId, batch.digest, input));
}

const lineOf = perDatabase(() => new SubmitLine(storeTogether));

/** @returns whether the batch is new */
async function storeBatch(
  ctx: ServiceContext,
  input: SubmitBatchInput,
  batchId: string,
  batch: PreparedBatch,
): Promise<boolean> {
  const isOnCitus = await isDistributed(ctx.db);
  // By itself the statement looks at its end, which on Citus would be by a worker's clock.
  const errands = (!isOnCitus && ctx.db.errands) || [];
  const byItself = errands.length > 0 ? { ...ctx, db: baseOf(ctx.db) } : ctx;
  const store = (isWeighed: boolean) =>
    storeWithReferences(ctx, input, batchId, isWeighed, (on) =>
      on === ctx
        ? insertBatch(byItself, input, batchId, batch, isWeighed, errands)
        : insertBatch(on, input, batchId, batch, isWeighed),
    );
  // Asked only when nothing was stored: few contracts have a daily threshold.
  const storeAlone = async () => {
    if (await store(false)) return true;
    for (const errand of ctx.db.errands ?? []) errand.storedNothing();
    return (await weighsDay(ctx, input)) && (await store(true));
  };
  // On Citus each statement goes to the shard of one contract.
  if (!sharesStatement({ ctx, input }) || isOnCitus) return await storeAlone();
  return await lineOf(ctx.db).store({ ctx, input, batchId, batch, storeAlone });
}

/**
 * Whether a contract has a rule with a daily threshold, or for a batch of a payout with a threshold.
 * @param lock until the transaction ends: a statement with `passedDay` or `weightOf` after it sees what
 * concurrent ones stored. By itself, it would count a repeat of a batch that is just being stored. Where
 * some wait for a row in a transaction and others in none, Citus finds deadlocks that are none.
 */
export async function weighsDay(
  { db: { sql } }: ServiceContext,
  given: Pick<SubmitBatchInput, "contractAddress" | "pointType" | "payoutId">,
  { lock = false } = {},
): Promise<boolean> {
  const rows = await sql`
    select 1 from approval_rules
    where contract_address = ${addressToBytes(given.contractAddress)}
      and point_type = ${given.pointType}::point_type
      and (day_threshold is not null
        or threshold is not null and ${given.payoutId !== undefined}::boolean)
    ${lock ? sql`for update` : sql``}`;
  return rows.length > 0;
}

interface Weighed {
  contract: Buffer;
  pointType: PointType;
  batchId: string;
  total: string;
  payoutId?: string | undefined;
}

/** What a rule compares with its threshold: the batch's points, and those that its payout has so far. */
export const weightOf = (sql: Database["sql"], given: Omit<Weighed, "batchId">): Fragment => {
  const { contract, pointType, total, payoutId } = given;
  if (payoutId === undefined) return sql`${total}::text::numeric`;
  return sql`(${total}::text::numeric + coalesce((
          select sum(o.points)
          from payout_parts p
            join batches o on o.contract_address = p.contract_address and o.seq = p.batch_seq
          where p.contract_address = ${contract}
            and o.contract_address = ${contract}
            and p.payout_id = ${payoutId}
            and o.point_type = ${pointType}::point_type
            and o.status <> 'CANCELLED'
        ), 0))`;
};

/**
 * A CTE that counts a batch towards its day if it passes the rule's amounts. It locks the rule, and before
 * any account, so that concurrent batches count each other; without a daily threshold there is no row to
 * lock. A repeat is not counted: see `weighsDay`.
 */
export const passedDay = ({ sql }: Database, weighed: Weighed) => {
  const { contract, pointType, batchId, total } = weighed;
  const points = sql`${total}::text::numeric`;
  return sql`passed as (
      ${countTowardsDay(sql, contract, points, sql`created`, weightOf(sql, weighed))}
        and r.point_type = ${pointType}::point_type
        and not exists (
          select 1
          from batches b
          where b.contract_address = ${contract}
            and b.contract_address = r.contract_address
            and b.id = ${batchId}
        )
      returning 1
    ),`;
};

/** An UPDATE of the rules `r` whose amounts `points` pass, at the time `at` of the tables `from`. */
export const countTowardsDay = (
  sql: Database["sql"],
  contract: Buffer,
  points: Fragment,
  from: Fragment,
  weight = points,
) => {
  const today = sql`(at at time zone 'UTC')::date`;
  const sum = sql`case when r.day >= ${today} then r.day_points else 0 end + ${points}`;
  return sql`update approval_rules r set day = greatest(r.day, ${today}), day_points = ${sum}
      from ${from}
      where r.contract_address = ${contract}
        and r.day_threshold is not null
        and (r.threshold is null or ${weight} < r.threshold)
        and ${sum} < r.day_threshold`;
};

/**
 * The CTEs `passed` and `needs`: what a contract's rules ask for sums that are approved as a whole. They
 * read from `weighed`, per point type, the `points` of a day and the `weight` that is compared with the
 * threshold, and the time from `moment`, without which nothing counts.
 */
export const needsOfSums = (sql: Database["sql"], contract: Buffer) => sql`passed as (
      ${countTowardsDay(sql, contract, sql`weighed.points`, sql`weighed, moment`, sql`weighed.weight`)}
        and r.point_type = weighed.point_type
      returning r.point_type
    ), needs as materialized (
      select weighed.point_type, case when weighed.weight >= r.threshold then 'THRESHOLD'
          when r.day_threshold is not null and not exists (
            select 1 from passed where passed.point_type = weighed.point_type
          ) then 'DAY' end as need
      from weighed
        left join approval_rules r on r.contract_address = ${contract}
          and r.point_type = weighed.point_type
    )`;

/** `approval_need`, `awaits_approval` and `token_created_by`, in a statement with `passed` and a rule `r`. */
export const approvalColumns = ({ db: { sql }, tokenCreatedBy = null }: ServiceContext, weight: Fragment) => {
  const need = sql`case when ${weight} >= r.threshold then 'THRESHOLD'
          when r.day_threshold is not null and not exists (select 1 from passed) then 'DAY'
          when r.on_unusual then 'REVIEW' end`;
  return sql`${need}, ${need} is not null,
        case when r.contract_address is not null then ${tokenCreatedBy}::text end`;
};

/** The same without a daily threshold, for a batch whose payout need not be added up. */
const amountColumns = ({ db: { sql }, tokenCreatedBy = null }: ServiceContext, total: string) =>
  sql`case when ${total}::text::numeric >= r.threshold then 'THRESHOLD' when r.on_unusual then 'REVIEW' end,
        coalesce(${total}::text::numeric >= r.threshold or r.on_unusual, false),
        case when r.contract_address is not null then ${tokenCreatedBy}::text end`;

/** The same for a part of a file, whose amounts are weighed together at its release. */
const reviewColumns = ({ sql }: Database) =>
  sql`case when r.on_unusual then 'REVIEW' end, coalesce(r.on_unusual, false), null::text`;

/**
 * @param isWeighed whether the contract has a rule to lock. Its batches are stored only with it.
 * @param errands after whose end the statement fails
 */
async function insertBatch(
  ctx: ServiceContext,
  input: SubmitBatchInput,
  batchId: string,
  batch: PreparedBatch,
  isWeighed: boolean,
  errands: readonly Errand[] = [],
): Promise<boolean> {
  if (isWeighed) await weighsDay(ctx, input, { lock: true });
  const contract = addressToBytes(input.contractAddress);
  const { pointType } = input;
  const { total, waitSeconds } = batch;
  const { addresses, points } = packTransfers(input.transfers);
  const transferCount = input.transfers.length;
  // A part of several is stored on hold: nothing is paid before all parts are stored, and released together
  // (server/payouts/release-payout.ts).
  const isPart = (input.payout?.partCount ?? 1) > 1;
  const { points: listPoints, digest: listDigest } = (isPart && input.payout) || {};
  const list = { ...(listPoints && { listPoints }), ...(listDigest && { listDigest }) };
  const detail = { pointType, points: total, transferCount, ...list };
  const keyless = input.batchId === undefined;
  const weighed = { contract, pointType, batchId, total, payoutId: input.payoutId };
  const needColumns = isPart
    ? reviewColumns(ctx.db)
    : isWeighed
      ? approvalColumns(ctx, weightOf(ctx.db.sql, weighed))
      : amountColumns(ctx, total);
  // Few fragments, since each costs 4 µs: "submit 1 at 16" in docs/benchmarks.md.
  const otherCtes = [
    announce(ctx.db, "batch.created", "batch", [contract]),
    auditPersonChange(ctx, {
      action: "batch.submit",
      contractAddress: input.contractAddress,
      batchId,
      detail,
      changed: "reserved",
    }),
    ...linkPayout(ctx, contract, input),
    ...linkCorrection(ctx, contract, input.corrects),
    ...storeMetadata(ctx, contract, input.metadata),
  ];
  // The account is updated from the result of the transfers' insert: its lock is taken last and held briefly.
  // Every table is filtered by the contract itself, and each INSERT reads a row of that shard without drawing
  // a number. Citus then sends everything to the contract's shard alone. For any other INSERT it would
  // collect the rows, send them to all workers and commit in two phases. A single worker that is down would
  // then block every submit.
  const [space, key] = [SUBMIT_LOCK_SPACE, submitLockKey(contract)];
  const query = ctx.db.sql`
    with created as materialized (
      select
        date_trunc('milliseconds', case
          when pg_advisory_xact_lock_shared(${space}::int, ${key}::int) is not null then clock_timestamp()
        end) as at,
        nextval('batches_seq_seq') as seq,
        nextval('issuances_id_seq') as issuance_id
    ), ${isWeighed ? passedDay(ctx.db, weighed) : ctx.db.sql``} batch as (
      insert into batches (
        contract_address, seq, id, point_type,
        points, transfer_count, wait_seconds,
        digest, transfers_hash, submitted_by, submit_request_id, keyless,
        created_at, finalize_at,
        approval_need, awaits_approval, token_created_by,
        held_at, held_by, hold_reason, held_for_payout
      )
      overriding system value
      select
        a.address, created.seq, ${batchId}, a.point_type,
        ${total}::text::numeric, ${transferCount}::int, ${waitSeconds}::int,
        ${batch.digest}::bytea, ${batch.transfersHash}::bytea, ${ctx.actor}, ${ctx.requestId},
        ${keyless}::boolean,
        created.at, created.at + ${waitSeconds}::int * interval '1 second',
        ${needColumns},
        case when ${isPart}::boolean then created.at end, ${isPart ? ctx.actor : null},
        ${isPart ? HOLD_REASON : null}, ${isPart}::boolean
      from accounts a
        join contracts c on c.address = a.address
        left join approval_rules r on r.contract_address = a.address
          and r.contract_address = ${contract}
          and r.point_type = a.point_type,
        created
      where a.address = ${contract}
        and c.address = ${contract}
        and a.point_type = ${pointType}::point_type
        and (
          ${isWeighed || isPart}::boolean
          or r.day_threshold is null and (r.threshold is null or ${input.payoutId === undefined}::boolean)
        )
        and not (${keyless}::boolean and c.key_required)
      on conflict (contract_address, id) do nothing
      returning seq, contract_address, point_type, points, created_at as at
    ), stored as (
      insert into batch_transfers as t (batch_seq, contract_address, addresses, points)
      select b.seq, c.address, ${addresses}::text::bytea, ${points}::text::numeric(38,12)[]
      from batch b
        join contracts c on c.address = b.contract_address
      where c.address = ${contract}
      returning t.batch_seq
    ), reserved as (
      update accounts a set
        pending = a.pending + b.points,
        earned = a.earned + case
          when c.issuance = 'ON_DEMAND'
          then greatest(b.points - (a.earned + a.received - a.sent - a.pending), 0)
          else 0
        end,
        issued_last = case
          when c.issuance = 'ON_DEMAND'
          then greatest(b.points - (a.earned + a.received - a.sent - a.pending), 0)
          else 0
        end
      from stored s
        join batch b on b.seq = s.batch_seq,
        contracts c
      where a.address = ${contract}
        and c.address = ${contract}
        and a.address = b.contract_address
        and a.point_type = b.point_type
      returning b.seq, a.address, a.point_type, a.issued_last
    ), issued as (
      insert into issuances (contract_address, id, point_type, points, batch_seq)
      overriding system value
      select c.address, created.issuance_id, r.point_type, r.issued_last, r.seq
      from reserved r
        join contracts c on c.address = r.address,
        created
      where c.address = ${contract} and r.issued_last > 0
    )
    ${otherCtes}
    select case
        when clock_timestamp() >= ${endOf(errands)}::timestamptz then ${ctx.db.sql.unsafe(FAIL_LATE)}
      end
    from reserved`;
  const rows = await endingItself(query, errands, ctx.db);
  return rows.length === 1;
}

const HOLD_REASON = "Waits until the whole payout is stored and released.";

/** A CTE that stores the payout of the batch, and its place in a file. Batches of `/v1` have no place. */
function linkPayout({ db: { sql } }: ServiceContext, contract: Buffer, input: SubmitBatchInput) {
  const { id, part, partCount, fileName, readAs } = input.payout ?? { id: input.payoutId };
  if (!id) return [];
  return [
    sql`, linked as (
    insert into payout_parts (contract_address, batch_seq, payout_id, part, part_count, file_name, read_as)
    select c.address, b.seq, ${id}, ${part ?? null}::int, ${partCount ?? null}::int, ${fileName ?? null},
      ${readAs ?? null}
    from batch b join contracts c on c.address = b.contract_address where c.address = ${contract})`,
  ];
}

function linkCorrection({ db: { sql } }: ServiceContext, contract: Buffer, corrects: string | undefined) {
  if (corrects === undefined) return [];
  return [
    sql`, corrected as (
    insert into batch_corrections (contract_address, batch_seq, corrects_seq)
    select c.address, b.seq, cancelled.seq
    from batch b join contracts c on c.address = b.contract_address, batches cancelled
    where c.address = ${contract} and cancelled.contract_address = ${contract}
      and cancelled.id = ${corrects} and cancelled.status = 'CANCELLED')`,
  ];
}

/** A CTE that stores the batch's metadata. */
function storeMetadata(
  { db: { sql } }: ServiceContext,
  contract: Buffer,
  metadata: SubmitBatchInput["metadata"],
) {
  const entries = Object.entries(metadata ?? {});
  if (entries.length === 0) return [];
  return [
    sql`, described as (
    insert into batch_metadata (contract_address, batch_seq, key, value, created_at)
    select c.address, b.seq, given.key, given.value, b.at
    from batch b
      join contracts c on c.address = b.contract_address,
      unnest(
        ${entries.map(([key]) => key)}::text[],
        ${entries.map(([, value]) => value)}::text[]
      ) as given (key, value)
    where c.address = ${contract})`,
  ];
}

/** Why the statement stored nothing, nor was anything stored under the ID before. */
async function whyNotStored({ db }: ServiceContext, contractAddress: string, sent?: SubmitBatchInput) {
  if (sent?.batchId !== undefined) return contractNotFound(contractAddress);
  const known = await db.sql`select 1 from contracts where address = ${addressToBytes(contractAddress)}`;
  return known.length > 0 ? keyRequired("Idempotency-Key") : contractNotFound(contractAddress);
}

/** The result when a batch is already stored under the ID: the first one for the same content. */
export async function recognizeRepeat(
  ctx: ServiceContext,
  contractAddress: string,
  batchId: string,
  digest: Buffer,
  sent?: SubmitBatchInput,
): Promise<SubmittedBatch> {
  const contract = addressToBytes(contractAddress);
  const [stored] = await ctx.db.sql<{ digest: Buffer; cancelledAt: string | null }[]>`
    select digest, cancelled_at as "cancelledAt"
    from batches
    where contract_address = ${contract} and id = ${batchId}`;
  if (!stored) throw await whyNotStored(ctx, contractAddress, sent);
  const isOther = sent && !stored.digest.equals(digest);
  const content = isOther ? await contentOfStored(ctx, batchId, sent) : undefined;
  requireSameBatch({ batchId, isKeyed: sent?.isKeyed }, stored, digest, content);
  return { batchId, replayed: true };
}
