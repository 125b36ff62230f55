import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import { addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { SEQ_MAX } from "@/server/kernel/cursor";
import { creationHorizon } from "@/server/ledger/creation-order";
import { LIST_LIMIT_MAX } from "@/terms/batch-schema";
import { boundAfter, boundBefore, LATEST_MS } from "@/terms/fields";
import { LIST_SORTS } from "@/terms/filters";
import { conditionsInRange, createdWithin, ofNone, ofRange } from "./conditions";
import { beyond, columnsFor, isoTime, type Read, type Reading, type SortedRow } from "./listed-rows";
import type { Plan, Range } from "./plan";

/** Reads each range in its order up to the page's end. */
export async function readRanges(ctx: ServiceContext, plan: Plan, reading: Reading): Promise<Read> {
  const { sort, rowsLeast } = reading;
  const { by, descending } = LIST_SORTS[sort];
  const column = batches[by];
  const page = rangesInOrder(plan.ranges, {
    where: and(conditionsInRange(plan.within), await pageBounds(ctx.db, reading, column, batches.seq)),
    columns: sql.raw(columnsFor(reading)),
    column,
    name: by,
    descending,
    // A literal, since with a parameter the database would plan every call anew.
    limit: sql.raw(String(limitOf(rowsLeast))),
  });
  // The plan is not kept: one made for a contract with many batches looks through those of all for one with
  // few.
  return { rows: await ctx.db.orm.execute<SortedRow & Record<string, unknown>>(page) };
}

/**
 * Where a page lies in its order.
 * @param column what the order is by
 * @param seq the column with the sequence number
 */
export async function pageBounds(
  db: Database,
  { filters, sort, after }: Reading,
  column: SQLWrapper,
  seq: SQLWrapper,
): Promise<SQL | undefined> {
  const { by, descending } = LIST_SORTS[sort];
  const isByCreation = by === "createdAt";
  const createdAt = isByCreation ? column : batches.createdAt;
  const { createdAfter, createdBefore, contractAddress } = filters;
  // By creation, a cursor replaces the bound on its side, so that the range starts there.
  const bounds = !isByCreation || !after ? filters : descending ? { createdAfter } : { createdBefore };
  const contract = contractAddress ? addressToBytes(contractAddress) : undefined;
  const horizon = isByCreation && !descending ? await creationHorizon(db, contract) : null;
  return and(
    createdWithin(bounds, createdAt),
    after && beyond(sort, after, column, seq),
    horizon ? sql`${createdAt} < ${horizon}::timestamptz` : undefined,
  );
}

interface Ordered {
  where: SQL | undefined;
  columns: SQL;
  column: SQLWrapper;
  /** The column's name among `columns`, which also have `seq`. */
  name: string;
  descending: boolean;
  limit: SQL;
}

/** A select of batches of ranges that each have the order. Each is read in it and stops at the limit. */
export function rangesInOrder(
  ranges: readonly Range[],
  { where, columns, column, name, descending, limit }: Ordered,
): SQL {
  const way = sql.raw(descending ? "desc" : "asc");
  const conditions = ranges.length > 0 ? ranges.map(ofRange) : [ofNone()];
  const [first, ...others] = conditions.map(
    (condition) => sql`(
      select ${columns}
      from ${batches}
      where ${and(condition, where) ?? sql`true`}
      order by ${column} ${way}, ${batches.seq} ${way}
      limit ${limit}
    )`,
  );
  if (others.length === 0) return first!;
  return sql`
    ${sql.join([first, ...others], sql` union all `)}
    order by ${sql.identifier(name)} ${way}, seq ${way}
    limit ${limit}`;
}

/** Few distinct limits keep the number of prepared statements low. */
const LIMITS = [2, 11, 51, 101, LIST_LIMIT_MAX + 1];
const limitOf = (rowsLeast: number) => LIMITS.find((rows) => rows >= rowsLeast) ?? rowsLeast;

/** The statements of `readContract`, by what they depend on. */
const KEPT = new Map<string, string>();

/**
 * A page of one contract with the API's filters: most lists. Written once, and planned once: Postgres does
 * not see the values, and the row comparisons are exactly one range of `batches_of_contract`, or one for each
 * type and status of `batches_by_type_contract_status`, whose orders no other index has. So no contract's
 * size can mislead it. "list" in docs/benchmarks.md.
 */
export async function readContract(db: Database, { ranges }: Plan, reading: Reading): Promise<Read> {
  const { filters, sort, after, rowsLeast, withOutcome } = reading;
  const { descending } = LIST_SORTS[sort];
  const contract = addressToBytes(filters.contractAddress!);
  const horizon = descending ? null : await creationHorizon(db, contract);
  const kinds = ranges.map(({ pointType, state }) => `${pointType} ${state}`).join();
  const name = `${sort} ${limitOf(rowsLeast)} ${withOutcome} ${kinds}`;
  let text = KEPT.get(name);
  if (text === undefined) {
    text = ranges[0]!.state ? statementOfKinds(ranges, reading) : statementOfAll(reading);
    KEPT.set(name, text);
  }
  const position = after && [isoTime(after.key), String(after.seq)];
  const lower = (!descending && position) || [
    boundAfter(filters.createdAfter) ?? isoTime(0n),
    String(SEQ_MAX),
  ];
  const before = [boundBefore(filters.createdBefore), horizon].filter((at) => at !== null).sort()[0];
  const upper = (descending && position) || [before ?? isoTime(BigInt(LATEST_MS)), "0"];
  const rows = await db.sql.unsafe<SortedRow[]>(text, [contract, ...lower, ...upper], {
    prepare: db.sql.options.prepare,
  });
  return { rows };
}

// The parameters of both: the contract, then the lower and the upper bound, each a time and a sequence
// number.

const statementOfAll = (reading: Reading): string => {
  const { descending } = LIST_SORTS[reading.sort];
  const way = descending ? "desc" : "asc";
  return `
    select ${columnsFor(reading)}
    from batches
    where (contract_address, created_at, seq) > ((select $1::bytea), $2::timestamptz, $3::bigint)
      and (contract_address, created_at, seq) < ((select $1::bytea), $4::timestamptz, $5::bigint)
    order by batches.contract_address ${descending ? "desc nulls last" : "asc nulls first"},
      batches.created_at ${way},
      batches.seq ${way}
    limit ${limitOf(reading.rowsLeast)}`;
};

const statementOfKinds = (ranges: readonly Range[], reading: Reading): string => {
  const way = LIST_SORTS[reading.sort].descending ? "desc" : "asc";
  const types = ranges.map(({ pointType }) => pointType).join();
  const statuses = ranges.map(({ state }) => state).join();
  const limit = limitOf(reading.rowsLeast);
  return `
    select page.*
    from unnest('{${types}}'::point_type[], '{${statuses}}'::batch_status[]) as kind (type, status)
    cross join lateral (
      select ${columnsFor(reading)}
      from batches
      where (point_type, contract_address, status, created_at, seq)
          > (kind.type, (select $1::bytea), kind.status, $2::timestamptz, $3::bigint)
        and (point_type, contract_address, status, created_at, seq)
          < (kind.type, (select $1::bytea), kind.status, $4::timestamptz, $5::bigint)
      order by batches.point_type ${way},
        batches.contract_address ${way},
        batches.status ${way},
        batches.created_at ${way},
        batches.seq ${way}
      limit ${limit}
    ) as page
    order by "createdAt" ${way}, seq ${way}
    limit ${limit}`;
};
