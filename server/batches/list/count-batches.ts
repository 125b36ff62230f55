import { and, gte, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import { BATCH_STATUSES, POINT_TYPES } from "@/server/kernel/values/batch-terms";
import { boundAfter } from "@/server/kernel/values/fields";
import type { ServiceContext } from "../../kernel/context";
import { addressToBytes } from "../../kernel/values/addresses";
import { findUnindexedBatches } from "../../recipients/unindexed-transfers";
import { type BatchFacets, type BatchFilters, COUNT_MAX } from "./console-schema";
import { filterConditions, overdueBefore, overdueBranches, timeRange } from "./filter-conditions";
import { batchesOfStep, INDEX_COLUMNS, indexTableOf, stepOf, usesIndexTable } from "./index-table";
import { databaseNow } from "./list-console-batches";

const NEWER_MAX = 1000;

/** One count beside a list: its name in the reply, and the filters under which it counts. */
type Count = readonly [name: string, filters: BatchFilters];

/** The counts of a group ignore the group's own filter. */
function countsBeside(filters: BatchFilters): Count[] {
  const {
    statuses: _s,
    overdue: _o,
    held: _h,
    awaitingApproval: _a,
    unblocked: _u,
    ...withoutStatus
  } = filters;
  const { pointType: _t, ...withoutType } = filters;
  return [
    ...BATCH_STATUSES.map((status): Count => [status, { ...withoutStatus, statuses: [status] }]),
    ...POINT_TYPES.map((pointType): Count => [pointType, { ...withoutType, pointType }]),
    ["overdue", { ...withoutStatus, overdue: true }],
    ["held", { ...withoutStatus, held: true }],
    ["awaitingApproval", { ...withoutStatus, awaitingApproval: true }],
    ["unusual", { ...filters, unusual: true }],
  ];
}

/** Capped counts for each filter value, from one statement, so that a list of counts costs one connection one time. */
export async function countFacets(ctx: ServiceContext, filters: BatchFilters): Promise<BatchFacets> {
  const now = sql`${await databaseNow(ctx)}::timestamptz`;
  const counts = countsBeside(filters);
  const row =
    usesIndexTable(filters) || isOfSubmitter(filters)
      ? await countNewest(ctx.db, filters, counts, now)
      : await countEach(ctx.db, counts, now);
  const of = <Name extends string>(names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, row[name]])) as Record<Name, number>;
  return {
    statuses: of(BATCH_STATUSES),
    pointTypes: of(POINT_TYPES),
    overdue: row.overdue!,
    held: row.held!,
    awaitingApproval: row.awaitingApproval!,
    unusual: row.unusual!,
    countMax: COUNT_MAX,
    isWhole: row.searched === undefined || row.searched <= COUNT_MAX,
  };
}

/** No index has a submitter's batches by status, so a count could read all of them to find a few. */
const isOfSubmitter = ({ submittedBy, contractAddress }: BatchFilters) =>
  submittedBy !== undefined && contractAddress === undefined;

/** Each count is a subquery with its own range of an index, and stops at the cap. */
async function countEach(db: Database, counts: readonly Count[], now: SQL): Promise<Record<string, number>> {
  const columns = counts.map(
    ([name, filters]) => sql`(${countUpTo(db, COUNT_MAX, filters, { now })}) as ${sql.identifier(name)}`,
  );
  const [row] = await db.orm.execute<Record<string, number>>(sql`select ${sql.join(columns, sql`, `)}`);
  return row!;
}

/** Reads the newest batches that pay an address, are unusual or have a submitter once, for all counts. */
async function countNewest(
  db: Database,
  filters: BatchFilters,
  counts: readonly Count[],
  now: SQL,
): Promise<Record<string, number>> {
  const columns = counts.map(([name, counted]) => {
    // The index table of unusual batches has answered that filter.
    const unanswered = filters.unusual && !filters.recipient ? { ...counted, unusual: undefined } : counted;
    const conditions =
      and(filterConditions(unanswered, now), counted.overdue ? or(...overdueBranches()) : undefined) ??
      sql`true`;
    return sql`count(*) filter (where ${conditions})::int as ${sql.identifier(name)}`;
  });
  const newest = usesIndexTable(filters)
    ? await newestOf(db, filters, COUNT_MAX + 1)
    : newestOfSubmitter(filters, COUNT_MAX + 1);
  const [row] = await db.orm.execute<Record<string, number>>(sql`
    with ${newest}
    select ${sql.join(columns, sql`, `)}, (select count(*)::int from step) as searched from found as batches`);
  return row!;
}

/** The columns that filters compare. */
const COMPARED = sql.raw(
  "contract_address, seq, id, status, point_type, points, held_at, awaits_approval, created_at, finalize_at, finalized_at, submitted_by, reverses_seq",
);

/** CTEs that end in `found`: the newest batches of the index table, up to `most`, with the columns that filters compare. */
async function newestOf(db: Database, filters: BatchFilters, most: number, since?: SQL): Promise<SQL> {
  const range = and(timeRange(filters, "DESC", undefined, INDEX_COLUMNS), since);
  const step = stepOf(await indexTableOf(db, filters), { range, descending: true }, most);
  return sql`${step}, found as materialized (${batchesOfStep(COMPARED)})`;
}

/** The same for a submitter, whose index has the batches themselves. */
function newestOfSubmitter(filters: BatchFilters, most: number): SQL {
  const where = and(filterConditions({ submittedBy: filters.submittedBy }), timeRange(filters, "DESC"));
  return sql`found as materialized (
    select ${COMPARED} from ${batches} where ${where} order by ${batches.createdAt} desc, ${batches.seq} desc limit ${most}
  ), step as (select 1 from found)`;
}

/**
 * Counts new batches in a list, up to 1,000: created after its newest one or, in an overdue list, overdue since it was
 * read. By the database's clock. Batches of the same millisecond as the newest one are not counted.
 */
export async function countNewer(
  ctx: ServiceContext,
  filters: BatchFilters,
  newerThan: { createdAt: string } | null,
  readAt?: string,
): Promise<number> {
  const since = newerThan ? sql`created_at > ${boundAfter(newerThan.createdAt)}::timestamptz` : undefined;
  const count = async (counted: SQL) => (await ctx.db.orm.execute<{ count: number }>(counted))[0]!.count;
  if (filters.overdue) {
    const newer = readAt
      ? gte(batches.finalizeAt, overdueBefore(sql`${boundAfter(readAt)}::timestamptz`))
      : since;
    const also = and(newer, await paysRecipient(ctx.db, filters));
    return await count(countUpTo(ctx.db, NEWER_MAX, filters, { also }));
  }
  if (!filters.recipient) return await count(countUpTo(ctx.db, NEWER_MAX, filters, { also: since }));
  const newest = await newestOf(ctx.db, filters, NEWER_MAX + 1, since);
  const where = filterConditions(filters) ?? sql`true`;
  return await count(sql`with ${newest} select count(*)::int as count from found as batches where ${where}`);
}

/** Batches that pay an address: those in the recipient index, and the few that are newer than the index. */
async function paysRecipient(db: Database, { recipient }: BatchFilters): Promise<SQL | undefined> {
  if (!recipient) return undefined;
  const address = addressToBytes(recipient);
  const unindexed = await findUnindexedBatches(db, address);
  const contracts = `{${unindexed.map(({ contractAddress }) => contractAddress.toString("hex")).join(",")}}`;
  const seqs = `{${unindexed.map(({ seq }) => seq).join(",")}}`;
  return sql`(${batches.contractAddress}, ${batches.seq}) in (
    select contract_address, batch_seq from recipient_transfers where to_address = ${address}
    union all
    select decode(contract, 'hex'), seq from unnest(${contracts}::text::text[], ${seqs}::text::bigint[]) as f (contract, seq))`;
}

function countUpTo(
  db: Database,
  most: number,
  filters: BatchFilters,
  { also, now }: { also?: SQL | undefined; now?: SQL },
): SQL {
  const conditions = and(filterConditions(filters, now), timeRange(filters, "DESC"), also);
  const read = (branch?: SQL) =>
    db.orm
      .select({ one: sql`1`.as("one") })
      .from(batches)
      .where(and(branch, conditions))
      .limit(most + 1);
  const [unblocked, claimed] = overdueBranches();
  const some = filters.overdue
    ? unionAll(read(unblocked), read(claimed))
        .limit(most + 1)
        .as("some")
    : read().as("some");
  return db.orm
    .select({ count: sql<number>`count(*)::int`.as("count") })
    .from(some)
    .getSQL();
}
