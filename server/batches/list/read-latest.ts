import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Fragment } from "postgres";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import type { ServiceContext } from "@/server/kernel/context";
import { type BatchFilters, COUNT_MAX, LIST_SORTS } from "@/terms/filters";
import { asFragment, conditionsInRange, createdWithin } from "./conditions";
import { beyond, columnsFor, type Read, type Reading, type SortedRow } from "./listed-rows";
import { type Plan, type Source, wholeOf } from "./plan";
import { type MetadataPair, rarestPair, searchOf } from "./read-entries";
import { rangesInOrder } from "./read-ranges";

type LatestRow = SortedRow & Record<string, unknown> & { examined: number; topSeq: string | null };

/**
 * Sorts the latest batches that match, in memory. If none of them match, the statement returns one row of
 * nulls.
 */
export async function readLatest({ db }: ServiceContext, plan: Plan, reading: Reading): Promise<Read> {
  const { filters, sort, after, rowsLeast } = reading;
  const { by, descending } = LIST_SORTS[sort];
  const most = COUNT_MAX + 1;
  const columns = sql.raw(columnsFor(reading));
  const wanted = { most, columns, upTo: after?.top };
  const { ctes, examined, top } = await latestOfPlan(db, plan, filters, wanted);
  const column = sql`${sql.identifier(by)}`;
  const way = sql.raw(descending ? "desc" : "asc");
  const found = await db.orm.execute<LatestRow>(sql`
    with ${ctes}
    select page.*, looked.*
    from (select ${examined} as examined, ${top}::text as "topSeq") as looked
    left join (
      select *
      from (select * from latest order by ranged_at desc, seq desc limit ${COUNT_MAX}) as latest
      where ${after ? beyond(sort, after, column, sql`seq`) : sql`true`}
      order by ${column} ${way}, seq ${way}
      limit ${rowsLeast}
    ) as page on true
    order by ${column} ${way}, seq ${way}`);
  const [looked] = found;
  return {
    rows: found.filter(({ id }) => id !== null),
    sorted: { count: looked!.examined, top: BigInt(looked!.topSeq ?? 0) },
  };
}

interface Latest {
  /** CTEs that end in `latest`, whose column `ranged_at` is the time of its order. */
  ctes: SQL;
  /** How many batches were looked at, as an expression. If it is `most`, there may be more that match. */
  examined: SQL;
  /** The highest sequence number that was looked at. */
  top: SQL;
}

interface Wanted {
  most: number;
  /** Columns of `batches`, `seq` among them. */
  columns: SQL;
  /** Newer batches are left out. */
  upTo?: bigint | undefined;
  /** Of the metadata: what is searched. */
  pair?: MetadataPair | undefined;
  /** If something is compared, all entries are looked at. */
  isWhole?: boolean;
}

/**
 * CTEs that end in `latest`: up to `most` batches that match, with the given columns of `batches`. They are
 * the newest, or with a filter by finalized time the last in that range, since that is what an index can
 * find. With something to compare, they are among the newest.
 */
export async function latestOfPlan(
  db: Database,
  plan: Source,
  filters: BatchFilters,
  { most, columns, upTo, pair, isWhole }: Wanted,
): Promise<Latest> {
  const notAfter = (seq: SQLWrapper) => (upTo === undefined ? undefined : sql`${seq} <= ${upTo}::bigint`);
  const time = batches[plan.time];
  const withTime = sql`${columns}, ${time} as ranged_at`;
  if (plan.compared) {
    const { seq, step, batchesOf, where } = await searchOf(db, plan, filters, pair);
    const mostSearched = isWhole && where ? Number.MAX_SAFE_INTEGER : most;
    const range = and(createdWithin(filters, sql`created_at`), notAfter(seq));
    return {
      ctes: sql`${step(range, true, mostSearched)}, latest as materialized (${batchesOf(withTime, where)})`,
      examined: sql`(select count(*)::int from step)`,
      top: sql`(select max(${seq}) from step)`,
    };
  }
  const rows = rangesInOrder(plan.ranges, {
    where: and(conditionsInRange(plan.within), createdWithin(filters), notAfter(batches.seq)),
    columns: withTime,
    column: time,
    name: "ranged_at",
    descending: true,
    limit: sql`${most}`,
  });
  return {
    ctes: sql`latest as materialized (${rows})`,
    examined: sql`(select count(*)::int from latest)`,
    top: sql`(select max(seq) from latest)`,
  };
}

/**
 * CTEs that end in `matching`: up to `most` batches, for a statement that does something with all that match.
 * They are searched by their rarest pair of metadata, or read by types and statuses if these have fewer.
 */
export async function matchingOf(
  db: Database,
  filters: BatchFilters,
  most: number,
  columns: string,
): Promise<{ ctes: Fragment }> {
  const source = wholeOf(filters);
  const pair = await rarestPair(db, filters, source.instead !== undefined);
  const wanted = { most, columns: sql.raw(columns), pair: pair ?? undefined, isWhole: true };
  const { ctes } = await latestOfPlan(db, pair === null ? source.instead! : source, filters, wanted);
  const matching = sql`${ctes}, matching as materialized (select * from latest limit ${most})`;
  return { ctes: asFragment(db.sql, matching) };
}
