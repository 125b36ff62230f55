import type { Sql } from "postgres";
import type { Database } from "@/db/client";
import { cached } from "@/server/kernel/cached";
import type { RequestContext, ServiceContext } from "@/server/kernel/context";
import { formatPoints, parseSum, shortestPoints } from "@/terms/points";
import { getTaken } from "./console-snapshots";
import { KEPT_SECONDS } from "./find-holders";
import type { SnapshotInput } from "./schema";
import { snapshotBytes } from "./snapshot-text";

/** Those who hold `from` or more, and less than `to`. */
export interface Band {
  from: string;
  to: string;
  holders: number;
  points: string;
}

/** How holdings are spread. Amounts are decimal strings. */
export interface Spread {
  /** Null without holders. */
  largest: string | null;
  /** As many hold this or more as hold this or less. Of an even number, the smaller one in the middle. */
  median: string | null;
  /** Ascending, from 1, 2 and 5 of each power of ten, without a gap between the first and the last. */
  bands: Band[];
  /** What the largest 1, 2, 3 … 10, 13, 16 … and all holders hold together. */
  tops: { holders: number; points: string }[];
}

export type FiguresContext = ServiceContext & Pick<RequestContext, "heavyDb">;

/** As its worker stored it. @throws DomainError `snapshot_not_found` */
export async function readSpread(ctx: FiguresContext, input: SnapshotInput): Promise<Spread> {
  const { id, holders } = await getTaken(ctx, input);
  const [stored] = await ctx.db.sql<{ spread: Spread | null }[]>`
    select figures -> 'spread' as spread from snapshots where id = ${id}::uuid`;
  const compute = () => computeSpread(ctx.heavyDb ?? ctx.db, id, holders);
  return stored?.spread ?? (await cached("snapshot spread", id, KEPT_SECONDS, compute));
}

/** @param holders of the snapshot */
export async function computeSpread(
  { sql }: Pick<Database, "sql">,
  id: string,
  holders: number,
): Promise<Spread> {
  return { ...(await readTops(sql, id, holders)), bands: await readBands(sql, id) };
}

const holdingsIn = (sql: Sql, id: string) => sql`(
  select unnest(points) as points from snapshot_holders where snapshot_id = ${snapshotBytes(id)}) as h`;

/** Tenths, each about a quarter more than the one before: a curve of them is on a logarithmic axis. */
const TENTHS = [10, 13, 16, 20, 25, 32, 40, 50, 63, 80];

function topSizes(holders: number): number[] {
  const sizes = new Set<number>();
  for (let power = 1; power <= holders; power *= 10)
    for (const tenths of TENTHS) sizes.add(Math.min(Math.round((tenths * power) / 10), holders));
  if (holders > 0) sizes.add(holders);
  return [...sizes];
}

async function readTops(sql: Sql, id: string, holders: number): Promise<Omit<Spread, "bands">> {
  const sizes = topSizes(holders);
  const middle = Math.floor(holders / 2) + 1;
  const rows = await sql<{ rank: number; points: string; sum: string }[]>`
    with ranked as (
      select points, row_number() over largest as rank, sum(points) over largest as sum
      from ${holdingsIn(sql, id)} window largest as (order by points desc rows unbounded preceding)
    ) select rank::float8, points, sum from ranked
    where rank = any(${`{${[...sizes, middle]}}`}::text::bigint[]) order by rank`;
  const at = (rank: number) => rows.find((row) => row.rank === rank);
  const pointsAt = (rank: number) => {
    const row = at(rank);
    return row ? shortestPoints(row.points) : null;
  };
  return {
    largest: pointsAt(1),
    median: pointsAt(middle),
    tops: sizes.map((size) => ({ holders: size, points: shortestPoints(at(size)!.sum) })),
  };
}

const STEPS = [1n, 2n, 5n] as const;

/** Where a band begins, in 10⁻¹² points. Bands are counted from the smallest amount. */
const startOf = (band: number) =>
  STEPS[band % STEPS.length]! * 10n ** BigInt(Math.floor(band / STEPS.length));

/** By the digits of the amount in 10⁻¹² points, so that no bound is rounded. */
async function readBands(sql: Sql, id: string): Promise<Band[]> {
  const rows = await sql<{ digits: number; first: number; holders: number; points: string }[]>`
    select length(units) as digits, left(units, 1)::int as first, count(*)::float8 as holders,
      sum(points)::text as points
    from (select points, trunc(points * 1000000000000)::text as units from ${holdingsIn(sql, id)}) as u
    group by 1, 2`;
  const found = new Map<number, { holders: number; units: bigint }>();
  for (const { digits, first, holders, points } of rows) {
    const band = (digits - 1) * STEPS.length + STEPS.findLastIndex((step) => step <= BigInt(first));
    const { holders: others, units } = found.get(band) ?? { holders: 0, units: 0n };
    found.set(band, { holders: others + holders, units: units + parseSum(shortestPoints(points)) });
  }
  const lowest = Math.min(...found.keys());
  return Array.from({ length: found.size && Math.max(...found.keys()) - lowest + 1 }, (_, at) => {
    const { holders, units } = found.get(lowest + at) ?? { holders: 0, units: 0n };
    const [from, to] = [startOf(lowest + at), startOf(lowest + at + 1)].map(formatPoints) as [string, string];
    return { from, to, holders, points: formatPoints(units) };
  });
}
