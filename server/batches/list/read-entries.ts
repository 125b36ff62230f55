import { and, type SQL, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import { addressArray, addressToBytes } from "@/server/kernel/address-bytes";
import { seqArray } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { SEARCHED_MAX, searchInSteps } from "@/server/kernel/search-in-steps";
import { findUnindexedBatches, type UnindexedBatch } from "@/server/ledger/index-recipients";
import { BATCH_STATUSES, POINT_TYPES, sortedMetadata } from "@/terms/batch-terms";
import { type BatchFilters, LIST_SORTS } from "@/terms/filters";
import { conditionsByKey, conditionsInRange, filterConditions, OPEN_REVIEWS, ofContract } from "./conditions";
import { columnsFor, type Read, type Reading, type SortedRow } from "./listed-rows";
import { type Plan, type Source, unansweredBy } from "./plan";
import { pageBounds, rangesInOrder, readRanges } from "./read-ranges";

/** How the entries of an index are read in their order, and the batch of each is compared. */
interface Search {
  /**
   * The column of an entry that has the batch's sequence number. Others are `created_at` and
   * `contract_address`.
   */
  seq: SQL;
  /** The CTE `step`: up to `most` entries. @param range a condition on their columns */
  step: (range: SQL | undefined, descending: boolean, most: number) => SQL;
  /** A select of columns of the batches of `step`. */
  batchesOf: (columns: SQL, where?: SQL) => SQL;
  /** Of these filters, those that the entries do not answer. */
  unanswered: (filters: BatchFilters) => BatchFilters;
  /** What the search compares. */
  where: SQL | undefined;
}

/**
 * Searches until the page is full or its budget is used.
 * @throws what `requireWanted` throws, when the caller has a reply or has left
 */
export async function readEntries(ctx: ServiceContext, plan: Plan, reading: Reading): Promise<Read> {
  const { filters, rowsLeast } = reading;
  const pair = await rarestPair(ctx.db, filters, plan.instead !== undefined);
  if (pair === null) return readRanges(ctx, { ...plan, ...plan.instead }, reading);
  const search = await searchOf(ctx.db, plan, filters, pair);
  const page = await pageBounds(ctx.db, reading, sql`created_at`, search.seq);
  return searchInSteps<SortedRow, Edge>(ctx, null, rowsLeast, (edge, most) =>
    readStep(ctx.db, search, reading, { page, edge, most }),
  );
}

export type MetadataPair = readonly [key: string, value: string];

/** By key, so that all pages of a sorted list, and its counts, are of the same entries. */
const firstPair = ({ metadata }: BatchFilters): MetadataPair | undefined => sortedMetadata(metadata)[0];

/**
 * The pair of metadata that the fewest batches have, by which they are then searched; undefined without
 * metadata. Null if even fewer are of the chosen types and statuses, such as the cancelled ones of a campaign
 * that all batches have.
 */
export async function rarestPair(
  db: Database,
  { recipient, contractAddress, metadata = {}, pointType, statuses }: BatchFilters,
  hasKinds: boolean,
): Promise<MetadataPair | undefined | null> {
  const pairs = Object.entries(metadata);
  if (recipient || pairs.length === 0 || (pairs.length === 1 && !hasKinds)) return pairs[0];
  const rivals = pairs.map((pair) => entriesOfPair(pair, { contractAddress }));
  const ofKinds = and(
    ofContract({ contractAddress }),
    sql`point_type in ${pointType ? [pointType] : POINT_TYPES}`,
    sql`status in ${statuses?.length ? statuses : BATCH_STATUSES}`,
  );
  if (hasKinds) rivals.push(sql`${batches} where ${ofKinds}`);
  const counts = rivals.map(
    (rival) => sql`(select count(*)::int from (select 1 from ${rival} limit ${SEARCHED_MAX}) as found)`,
  );
  const [row] = await db.orm.execute<{ counts: number[] }>(
    sql`select json_build_array(${sql.join(counts, sql`, `)}) as counts`,
  );
  return pairs[row!.counts.indexOf(Math.min(...row!.counts))] ?? null;
}

/**
 * @param source of a plan that has something to compare
 * @param pair of the metadata, by which its index is read
 */
export async function searchOf(
  db: Database,
  source: Source,
  filters: BatchFilters,
  pair = firstPair(filters),
): Promise<Search> {
  const [range] = source.ranges;
  if (!range?.index.table) return searchOfBatches(source);
  const unanswered = (some: BatchFilters) => {
    const { metadata, ...others } = unansweredBy(range.index, some);
    if (range.index.table !== "batch_metadata") return { ...others, metadata };
    const pairs = Object.entries(metadata ?? {}).filter(([key]) => key !== pair?.[0]);
    return { ...others, metadata: Object.fromEntries(pairs) };
  };
  const entries = await entriesOf(db, filters, pair);
  return {
    seq: sql`batch_seq`,
    step: (where, descending, most) => stepOf(entries, where, descending, most),
    batchesOf: (columns, where) => lookedUp(sql`batch_seq`, columns, where),
    unanswered,
    where: conditionsByKey(unanswered(filters)),
  };
}

/** The batches of ranges, where no index has a filter. */
function searchOfBatches({ time, ranges, within, compared }: Source): Search {
  const column = batches[time];
  const ordered = { columns: sql`*`, column, name: column.name };
  return {
    seq: sql`seq`,
    step: (range, descending, most) => {
      const where = and(conditionsInRange(within), range);
      return sql`step as materialized (
        ${rangesInOrder(ranges, { ...ordered, where, descending, limit: sql`${most}` })}
      )`;
    },
    // Pairs of metadata are compared in a table of their own.
    batchesOf: (columns, where) =>
      compared?.metadata
        ? lookedUp(sql`seq`, columns, where)
        : sql`select ${columns} from step as batches where ${where ?? sql`true`}`,
    unanswered: (filters) => filters,
    where: compared ? filterConditions(compared) : undefined,
  };
}

interface Entries {
  /** A table with `created_at`, `batch_seq` and `contract_address`, and a condition. */
  indexed: SQL;
  /** Batches that it does not have yet. */
  newer: readonly UnindexedBatch[];
}

async function entriesOf(
  db: Database,
  filters: BatchFilters,
  pair: MetadataPair | undefined,
): Promise<Entries> {
  if (filters.recipient) {
    const address = addressToBytes(filters.recipient);
    const newer = await findUnindexedBatches(db, address);
    return { indexed: sql`recipient_transfers where to_address = ${address}`, newer };
  }
  if (pair) return { indexed: entriesOfPair(pair, filters), newer: [] };
  return { indexed: sql`batch_reviews where ${and(OPEN_REVIEWS, ofContract(filters))}`, newer: [] };
}

const entriesOfPair = ([key, value]: MetadataPair, filters: BatchFilters): SQL =>
  sql`batch_metadata where ${and(sql`key = ${key}`, sql`value = ${value}`, ofContract(filters))}`;

/** The CTE `step`, with the keys of up to `most` batches, in order. */
function stepOf({ indexed, newer }: Entries, range: SQL | undefined, descending: boolean, most: number): SQL {
  const way = sql.raw(descending ? "desc" : "asc");
  const within = range ?? sql`true`;
  const times = `{${newer.map(({ createdAt }) => `"${createdAt}"`).join(",")}}`;
  const seqs = seqArray(newer);
  const contracts = addressArray(newer.map(({ contractAddress }) => contractAddress));
  return sql`step as materialized (
    (
      select created_at, batch_seq, contract_address
      from ${indexed} and ${within}
      order by created_at ${way}, batch_seq ${way}
      limit ${most}
    )
    union all
    select created_at, batch_seq, contract_address
    from unnest(${times}::text::timestamptz[], ${seqs}::text::bigint[], ${contracts}::text::bytea[])
      as newer (created_at, batch_seq, contract_address)
    where ${within}
    order by created_at ${way}, batch_seq ${way}
    limit ${most}
  )`;
}

/** A select of columns of the batches of `step`. GROUP BY makes it a lookup by key. */
const lookedUp = (seq: SQL, columns: SQL, where?: SQL): SQL => sql`
  select b.*
  from step cross join lateral (
    select ${columns}
    from batches
    where contract_address = step.contract_address
      and seq = step.${seq}
      and ${where ?? sql`true`}
    group by contract_address, seq
  ) b`;

interface Edge {
  createdAt: string;
  seq: string;
}

interface StepRow extends SortedRow, Record<string, unknown> {
  searched: number;
  edgeAt: string;
  edgeSeq: string;
}

/** A step without a match is one row of nulls with its edge, and one at the end of the index has no row. */
async function readStep(
  db: Database,
  { seq, step, batchesOf, where }: Search,
  reading: Reading,
  { page, edge, most }: { page: SQL | undefined; edge: Edge | null; most: number },
) {
  const { descending } = LIST_SORTS[reading.sort];
  const [way, back] = descending ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  const past = sql.raw(descending ? "<" : ">");
  const after =
    edge && sql`(created_at, ${seq}) ${past} (${edge.createdAt}::timestamptz, ${edge.seq}::bigint)`;
  const range = and(page, after ?? undefined);
  const found = batchesOf(sql.raw(columnsFor(reading)), where);
  const rows = await db.orm.execute<StepRow>(sql`
    with ${step(range, descending, most)},
    edge as materialized (
      select created_at, ${seq} as seq, (select count(*)::int from step) as searched
      from step
      order by created_at ${back}, ${seq} ${back}
      limit 1
    ),
    found as materialized (${found})
    select e.searched, e.created_at as "edgeAt", e.seq as "edgeSeq", f.*
    from edge e left join found f on true
    order by f."createdAt" ${way}, f.seq ${way}`);
  const [{ searched, edgeAt, edgeSeq } = { searched: 0, edgeAt: "", edgeSeq: "" }] = rows;
  return {
    rows: rows.filter(({ id }) => id !== null),
    searched,
    edge: { createdAt: edgeAt, seq: edgeSeq },
  };
}
