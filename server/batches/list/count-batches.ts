import { and, gte, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import type { ServiceContext } from "../../kernel/context";
import { readList } from "../../kernel/read-list";
import { BATCH_STATUSES } from "../../kernel/values/batch-state";
import { boundAfter } from "../../kernel/values/instant-bounds";
import { POINT_TYPES } from "../../kernel/values/point-types";
import type { FreshBatch } from "../../recipients/find-fresh";
import { type BatchFacets, type BatchFilters, COUNT_MAX } from "./console-schema";
import { filterConditions, freshFor, timeRange, walkOf, walksIndex } from "./list-batches";
import { databaseNow } from "./list-console-batches";
import { overdueBefore, overdueBranches } from "./overdue";
import { INDEX_PLACE, stepOf } from "./walk-index";

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
  // The primary's clock decides what is due.
  const now = sql`${await databaseNow(ctx)}::timestamptz`;
  const counts = countsBeside(filters);
  const row = await readList(ctx, (db) =>
    walks(filters) ? countWalked(db, filters, counts, now) : countEach(db, counts, now),
  );
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

/** Whether the counts sort the batches of one index, rather than each reading its own. */
const walks = (filters: BatchFilters) => walksIndex(filters) || isOfSubmitter(filters);

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

/** Looks up the newest batches that pay an address, are unusual or have a submitter, once, and sorts them into all counts. */
async function countWalked(
  db: Database,
  filters: BatchFilters,
  counts: readonly Count[],
  now: SQL,
): Promise<Record<string, number>> {
  const columns = counts.map(([name, counted]) => {
    // The index already answers the filter that it is walked for.
    const narrowed = {
      ...counted,
      ...(filters.recipient ? { recipient: undefined } : walksIndex(filters) && { unusual: undefined }),
    };
    const conditions =
      and(filterConditions(narrowed, [], now), narrowed.overdue ? or(...overdueBranches()) : undefined) ??
      sql`true`;
    return sql`count(*) filter (where ${conditions})::int as ${sql.identifier(name)}`;
  });
  const newest = walksIndex(filters)
    ? await newestOf(db, filters, COUNT_MAX + 1)
    : newestOfSubmitter(filters, COUNT_MAX + 1);
  const [row] = await db.orm.execute<Record<string, number>>(sql`
    with ${newest}
    select ${sql.join(columns, sql`, `)}, (select count(*)::int from step) as searched from found as batches`);
  return row!;
}

/** The columns that filters compare. */
const COMPARED = sql.raw(
  "contract_address, seq, id, status, point_type, points, held_at, awaits_approval, created_at, finalize_at, finalized_at, submitted_by",
);

/** The same for a submitter, whose index has the batches themselves. */
function newestOfSubmitter(filters: BatchFilters, most: number): SQL {
  const where = and(filterConditions({ submittedBy: filters.submittedBy }, []), timeRange(filters, "DESC"));
  return sql`found as materialized (
    select ${COMPARED} from ${batches} where ${where} order by ${batches.createdAt} desc, ${batches.seq} desc limit ${most}
  ), step as (select 1 from found)`;
}

/** CTEs that end in `found`: the newest batches of the walked index, up to `most`, with the columns that filters compare. */
async function newestOf(db: Database, filters: BatchFilters, most: number, since?: SQL): Promise<SQL> {
  const step = stepOf({
    entries: walkOf(filters).entries,
    fresh: await freshFor(db, filters),
    range: and(timeRange(filters, "DESC", undefined, INDEX_PLACE), since),
    descending: true,
    rowsMost: most,
  });
  return sql`${step}, found as materialized (
    select b.* from step cross join lateral (
      select ${COMPARED} from batches
      where contract_address = step.contract_address and seq = step.batch_seq group by contract_address, seq
    ) b)`;
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
  const count = async (db: Database, also?: SQL) => {
    const fresh = await freshFor(db, filters);
    const [row] = await db.orm.execute<{ count: number }>(countUpTo(db, NEWER_MAX, filters, { fresh, also }));
    return row!.count;
  };
  if (filters.overdue && readAt)
    return count(ctx.db, gte(batches.finalizeAt, overdueBefore(sql`${boundAfter(readAt)}::timestamptz`)));
  const since = newerThan && sql`created_at > ${boundAfter(newerThan.createdAt)}::timestamptz`;
  if (filters.overdue) return count(ctx.db, since ?? undefined);
  const { recipient: _, ...others } = filters;
  return readList(ctx, async (db) => {
    if (!filters.recipient) return count(db, since ?? undefined);
    const [row] = await db.orm.execute<{ count: number }>(sql`
      with ${await newestOf(db, filters, NEWER_MAX + 1, since ?? undefined)}
      select count(*)::int as count from found as batches where ${filterConditions(others, []) ?? sql`true`}`);
    return row!.count;
  });
}

function countUpTo(
  db: Database,
  most: number,
  filters: BatchFilters,
  { fresh = [], also, now }: { fresh?: readonly FreshBatch[]; also?: SQL | undefined; now?: SQL },
): SQL {
  const conditions = and(filterConditions(filters, fresh, now), timeRange(filters, "DESC"), also);
  const read = (branch?: SQL) =>
    db.orm
      .select({ one: sql`1`.as("one") })
      .from(batches)
      .where(and(branch, conditions))
      .limit(most + 1);
  const [waiting, claimed] = overdueBranches();
  const some = filters.overdue
    ? unionAll(read(waiting), read(claimed))
        .limit(most + 1)
        .as("some")
    : read().as("some");
  return db.orm
    .select({ count: sql<number>`count(*)::int`.as("count") })
    .from(some)
    .getSQL();
}
