import type { ISql, PendingQuery, Row } from "postgres";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { formatPoints, parseSum, shortestPoints } from "../kernel/values/points";
import { type DayTotals, dayAfter } from "./link";

type Query = PendingQuery<Row[]>;
/** The conditions on the time column of the rows. */
type Within = (column: string) => Query;

/**
 * What is summed per day. Rows of the history are never deleted and keep their time. Where no index starts with the time, the
 * condition on contracts makes it one index range per contract.
 */
const MOVEMENTS = {
  issued: (sql: ISql, within: Within) => sql`
    select ${utcDay(sql, "i.created_at")} as day, i.point_type, sum(i.points)::text as points from issuances i
    where ${within("i.created_at")} and i.contract_address in (select address from contracts) group by 1, 2`,
  submitted: (sql: ISql, within: Within) => sql`
    select ${utcDay(sql, "b.created_at")} as day, b.point_type, sum(b.points)::text as points from batches b
    where ${within("b.created_at")} group by 1, 2`,
  cancelled: (sql: ISql, within: Within) => sql`
    select ${utcDay(sql, "b.cancelled_at")} as day, b.point_type, sum(b.points)::text as points from batches b
    where b.status = 'CANCELLED' and ${within("b.cancelled_at")}
      and b.contract_address in (select address from contracts) group by 1, 2`,
  finalized: (sql: ISql, within: Within) => sql`
    select ${utcDay(sql, "b.finalized_at")} as day, b.point_type, sum(b.points)::text as points from batches b
    where b.status = 'FINALIZED' and ${within("b.finalized_at")} group by 1, 2`,
} as const;
export type Movement = keyof typeof MOVEMENTS;
export const MOVEMENT_NAMES = Object.keys(MOVEMENTS) as Movement[];

const utcDay = (sql: ISql, column: string) => sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD')`;

/** The totals of each day from the history, for `count` days from `first`. */
export async function sumDays(sql: ISql, first: string, count: number): Promise<Map<string, DayTotals[]>> {
  const days = Array.from({ length: count }, (_, index) => dayAfter(first, index));
  const totals = new Map(days.map((day) => [day, POINT_TYPES.map((pointType) => nothing(pointType))]));
  const range = { from: first, before: dayAfter(first, count) };
  for (const movement of MOVEMENT_NAMES)
    for (const { day, point_type, points } of await readMovement(sql, movement, range))
      totals.get(day)!.find(({ pointType }) => pointType === point_type)![movement] = shortestPoints(points);
  return totals;
}

/** Sums of the history before a day, over all point types. */
export async function sumBefore(sql: ISql, day: string): Promise<Record<Movement, string>> {
  const sums: [Movement, string][] = [];
  for (const movement of MOVEMENT_NAMES) {
    const rows = await readMovement(sql, movement, { from: null, before: day });
    sums.push([
      movement,
      formatPoints(rows.reduce((sum, { points }) => sum + parseSum(shortestPoints(points)), 0n)),
    ]);
  }
  return Object.fromEntries(sums) as Record<Movement, string>;
}

/** One kind of movement per day, from a day or from the beginning. */
export function readMovement(sql: ISql, movement: Movement, range: { from: string | null; before: string }) {
  const { from, before } = range;
  const within: Within = (
    column,
  ) => sql`${from === null ? sql`` : sql`${sql(column)} >= ${startOf(from)}::timestamptz and`}
    ${sql(column)} < ${startOf(before)}::timestamptz`;
  return sql<{ day: string; point_type: PointType; points: string }[]>`${MOVEMENTS[movement](sql, within)}`;
}

const startOf = (day: string) => `${day}T00:00:00.000Z`;

const nothing = (pointType: PointType): DayTotals => ({
  pointType,
  issued: "0",
  submitted: "0",
  cancelled: "0",
  finalized: "0",
});
