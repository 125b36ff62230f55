import { and, type SQL, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import { withPoints } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { BATCH_STATUSES, type BatchStatus, POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { boundAfter } from "@/terms/fields";
import { type BatchFilters, COUNT_MAX, chooseFilters } from "@/terms/filters";
import { COMPARED, conditionsByKey, conditionsInRange, createdWithin, ofRange } from "./conditions";
import { latestOf, ofIndexTables, type State } from "./plan";
import { searchOf } from "./read-entries";
import { latestOfPlan } from "./read-latest";

const NEWER_MAX = 1000;

const OVERDUE = ["OVERDUE", { overdue: true }] as const;
/** What stops a pending batch. */
const STOPS = [
  ["HELD", { held: true }],
  ["AWAITING_APPROVAL", { awaitingApproval: true }],
] as const;

/** What is counted beside a list: each choice of its menus. */
type Counted = BatchStatus | PointType | "OVERDUE" | (typeof STOPS)[number][0];
/** The filters under which it is counted. */
type Count<Name extends Counted = Counted> = readonly [name: Name, filters: BatchFilters];

/** The counts of a group ignore the group's own filters. */
function countsBeside(filters: BatchFilters): Count[] {
  const ofAnyState = chooseFilters(filters, ({ byState }) => !byState);
  return [
    ...BATCH_STATUSES.map((status): Count => [status, { ...ofAnyState, statuses: [status] }]),
    ...POINT_TYPES.map((pointType): Count => [pointType, { ...filters, pointType }]),
    ...[OVERDUE, ...STOPS].map(([name, its]): Count => [name, { ...ofAnyState, ...its }]),
  ];
}

export type BatchFacets = Awaited<ReturnType<typeof countFacets>>;

/**
 * Capped counts for each filter value, from one statement, so that a list of counts costs one connection one
 * time.
 */
export async function countFacets(ctx: ServiceContext, filters: BatchFilters) {
  const wanted = countsBeside(filters);
  const { searched, ...counts } = latestOf(filters).compared
    ? await countNewest(ctx.db, filters, wanted)
    : { searched: 0, ...(await countEach(ctx.db, wanted)) };
  // Otherwise only the newest transfers of a busy recipient were counted; the counts are then minimums.
  return { counts, isWhole: searched <= COUNT_MAX };
}

/** As the list counts them. */
export const countOverdue = async ({ db }: ServiceContext, most: number): Promise<number> =>
  (await countEach(db, [OVERDUE], most)).OVERDUE;

export const countStopped = ({ db }: ServiceContext, most: number) => countEach(db, STOPS, most);

/** Each count is a subquery with its own range of an index, and stops at the cap. */
async function countEach<Name extends Counted>(
  db: Database,
  counts: readonly Count<Name>[],
  most = COUNT_MAX,
): Promise<Record<Name, number>> {
  const columns = counts.map(
    ([name, filters]) => sql`(${countUpTo(most, filters)}) as ${sql.identifier(name)}`,
  );
  const [row] = await db.orm.execute<Record<Name, number>>(sql`select ${sql.join(columns, sql`, `)}`);
  return row!;
}

/** Reads the newest batches that a list is searched in once, for all counts. */
async function countNewest<Name extends Counted>(
  db: Database,
  filters: BatchFilters,
  counts: readonly Count<Name>[],
): Promise<Record<Name | "searched", number>> {
  const { found, matches } = await newestOf(db, filters, COUNT_MAX + 1);
  const columns = counts.map(
    ([name, counted]) => sql`count(*) filter (where ${matches(counted)})::int as ${sql.identifier(name)}`,
  );
  const [row] = await db.orm.execute<Record<Name | "searched", number>>(sql`
    with ${found}
    select ${sql.join(columns, sql`, `)}, (select count(*)::int from step) as searched
    from found as batches`);
  return row!;
}

/**
 * CTEs that end in `found`: up to `most` of the newest batches that a list is searched in, of any type and
 * state, with the columns that filters compare. `matches` is what filters compare in them. Metadata is
 * compared where a batch is looked up, which is the same for all counts: Citus does it nowhere else.
 */
async function newestOf(db: Database, filters: BatchFilters, most: number, since?: SQL) {
  const ofAnyKind = ofIndexTables(filters);
  const { step, batchesOf, unanswered } = await searchOf(db, latestOf(ofAnyKind), ofAnyKind);
  const range = and(createdWithin(filters, sql`created_at`), since);
  const withMetadata = conditionsByKey({ metadata: unanswered(filters).metadata });
  return {
    found: sql`${step(range, true, most)}, found as materialized (${batchesOf(COMPARED, withMetadata)})`,
    matches: (counted: BatchFilters) =>
      conditionsByKey({ ...unanswered(counted), metadata: undefined }) ?? sql`true`,
  };
}

/**
 * Counts batches created after the newest one of a list, up to 1,000; of an address, among its newest. Those
 * of the same millisecond are not counted.
 */
export async function countNewer(
  ctx: ServiceContext,
  filters: BatchFilters,
  newerThan: { createdAt: string } | null,
): Promise<number> {
  const since = newerThan ? sql`created_at > ${boundAfter(newerThan.createdAt)}::timestamptz` : undefined;
  const count = async (counted: SQL) => (await ctx.db.orm.execute<{ count: number }>(counted))[0]!.count;
  if (!latestOf(filters).compared) return await count(countUpTo(NEWER_MAX, filters, since));
  const { found, matches } = await newestOf(ctx.db, filters, NEWER_MAX + 1, since);
  return await count(sql`
    with ${found}
    select least(count(*), ${NEWER_MAX + 1})::int as count
    from found as batches
    where ${matches(filters)}`);
}

function countUpTo(most: number, filters: BatchFilters, also?: SQL): SQL {
  // A contract's index begins with the type, and the one over all contracts with the status.
  const { contractAddress, pointType, statuses } = filters;
  const any =
    contractAddress && !pointType
      ? sql`${batches.pointType} in ${POINT_TYPES}`
      : !contractAddress && pointType && !statuses?.length
        ? sql`${batches.status} in ${BATCH_STATUSES}`
        : undefined;
  const conditions = and(conditionsInRange(filters), any, createdWithin(filters), also);
  const read = (state?: State) =>
    sql`(
      select 1
      from ${batches}
      where ${and(state && ofRange({ state }), conditions) ?? sql`true`}
      limit ${most + 1}
    )`;
  const some = filters.overdue
    ? sql`${read("UNBLOCKED")} union all ${read("FINALIZING")} limit ${most + 1}`
    : read();
  return sql`select count(*)::int as count from (${some}) as found`;
}

/** What batches of one type add up to: payments or reversals. */
export type BatchSum = {
  pointType: PointType;
  isReversal: boolean;
  /** Of payments null, unless they are cancelled. Reversals are pending while they are finalized. */
  status: Exclude<BatchStatus, "FINALIZING"> | null;
  batches: number;
  transfers: string;
  points: string;
};

/**
 * What the filtered batches add up to. What is cancelled moves no points, so it is never among the others.
 * Exact for up to `COUNT_MAX` batches; beyond that only the latest `COUNT_MAX` are added up.
 */
export async function totalBatches(ctx: ServiceContext, filters: BatchFilters) {
  const columns = sql`seq, point_type, status, points, transfer_count, reverses_seq`;
  const wanted = { most: COUNT_MAX + 1, columns };
  const { ctes, examined } = await latestOfPlan(ctx.db, latestOf(filters), filters, wanted);
  const rows = await ctx.db.orm.execute<(BatchSum | { pointType: null }) & { examined: number }>(sql`
      with ${ctes}
      select sums.*, looked.examined
      from (select ${examined} as examined) as looked
      left join (
        select point_type as "pointType", reverses_seq is not null as "isReversal",
          case when reverses_seq is null and status <> 'CANCELLED' then null
            when status = 'FINALIZING' then 'PENDING' else status end as status,
          count(*)::int as batches, sum(transfer_count)::text as transfers, sum(points)::text as points
        from (select * from latest order by ranged_at desc, seq desc limit ${COUNT_MAX}) as latest
        group by 1, 2, 3
      ) as sums on true
      order by "pointType", "isReversal", status nulls first`);
  return {
    // If nothing matches, the only row has no type.
    sums: rows.flatMap(({ examined: _, ...row }) =>
      row.pointType === null ? [] : withPoints(row, "points"),
    ),
    isWhole: rows[0]!.examined <= COUNT_MAX,
  };
}
