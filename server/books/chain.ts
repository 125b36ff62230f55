import { createHash } from "node:crypto";
import type { ISql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { withoutTimeLimits } from "@/db/session-settings";
import { postgresError } from "@/server/kernel/database-errors";
import { inOneSnapshot, tryLock } from "@/server/kernel/shards";
import { UNSETTLED_SECONDS } from "@/server/ledger/checkpoint";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { formatPoints, parseSum, shortestPoints } from "@/terms/points";
import type { ChainLink, DayTotals } from "./schema";

export const NO_HASH = "0".repeat(64);

/** SHA-256 of the link's text (docs/books.md). Anyone can recompute it, so the text must never change. */
export function hashOf({ day, previousHash, totals }: Omit<ChainLink, "hash">): string {
  const lines = totals.map(
    ({ pointType, issued, submitted, cancelled, finalized }) =>
      `${pointType} issued ${issued} submitted ${submitted} cancelled ${cancelled} finalized ${finalized}`,
  );
  const text = [`day ${day}`, `previous ${previousHash}`, ...lines].join("\n");
  return createHash("sha256").update(text).digest("hex");
}

const DAY_MS = 86_400_000;

export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Links in order, from a day or from the first one. */
export async function readLinks(sql: ISql, from: string | null, limit: number): Promise<ChainLink[]> {
  return await sql<ChainLink[]>`
    select day::text, encode(previous_hash, 'hex') as "previousHash", totals, encode(hash, 'hex') as hash
    from ledger_days where ${from === null ? sql`true` : sql`day >= ${from}::date`}
    order by ledger_days.day limit ${limit}`;
}

const OF_CONTRACTS = "contract_address in (select address from contracts)";

/** Rows are never deleted and keep their time. By contracts, each source is one index range. */
const MOVEMENTS = {
  issued: { table: "issuances", at: "created_at", where: OF_CONTRACTS },
  submitted: { table: "batches", at: "created_at", where: "true" },
  cancelled: { table: "batches", at: "cancelled_at", where: `status = 'CANCELLED' and ${OF_CONTRACTS}` },
  finalized: { table: "batches", at: "finalized_at", where: "status = 'FINALIZED'" },
} as const;
export type Movement = keyof typeof MOVEMENTS;
export const MOVEMENT_NAMES = Object.keys(MOVEMENTS) as Movement[];

export async function sumDays(sql: ISql, first: string, count: number): Promise<Map<string, DayTotals[]>> {
  const days = Array.from({ length: count }, (_, index) => dayAfter(first, index));
  const totals = new Map(days.map((day) => [day, POINT_TYPES.map((pointType) => nothing(pointType))]));
  const range = { from: first, before: dayAfter(first, count) };
  for (const movement of MOVEMENT_NAMES)
    for (const { day, point_type, points } of await readMovement(sql, movement, range))
      totals.get(day)!.find(({ pointType }) => pointType === point_type)![movement] = shortestPoints(points);
  return totals;
}

/** One kind of movement per day, from a day or from the beginning. */
export function readMovement(sql: ISql, movement: Movement, range: { from: string | null; before: string }) {
  const { from, before } = range;
  const { table, at, where } = MOVEMENTS[movement];
  return sql<{ day: string; point_type: PointType; points: string }[]>`
    select to_char(${sql(at)} at time zone 'UTC', 'YYYY-MM-DD') as day, point_type,
      sum(points)::text as points
    from ${sql(table)}
    where ${from === null ? sql`true` : sql`${sql(at)} >= ${startOf(from)}::timestamptz`}
      and ${sql(at)} < ${startOf(before)}::timestamptz and ${sql.unsafe(where)}
    group by 1, 2`;
}

const startOf = (day: string) => `${day}T00:00:00.000Z`;

const nothing = (pointType: PointType): DayTotals => ({
  pointType,
  issued: "0",
  submitted: "0",
  cancelled: "0",
  finalized: "0",
});

/** Days recomputed per read of the history. */
const DAYS_AT_ONCE = 31;

export interface ChainReport {
  ok: boolean;
  /** Number of valid links before the first invalid one. */
  days: number;
  first: string | null;
  last: string | null;
  hash: string | null;
  /** The first invalid day, and why. */
  finding: { day: string; detail: string } | null;
}

/** Recomputes every link from the history, which is never deleted, and stops at the first invalid one. */
export async function checkChain({ sql }: Database): Promise<ChainReport> {
  const valid: ChainReport = { ok: true, days: 0, first: null, last: null, hash: null, finding: null };
  const report = (finding: ChainReport["finding"]) => ({ ...valid, ok: false, finding });
  let before: ChainLink | null = null;
  for (;;) {
    const links: ChainLink[] = await readLinks(sql, before && dayAfter(before.day), DAYS_AT_ONCE);
    if (links.length === 0) return valid;
    if (before === null) {
      const early = await findEarlier(sql, links[0]!.day);
      if (early) return report(early);
    }
    const history = await sumDays(sql, links[0]!.day, links.length);
    for (const link of links) {
      const detail = findBreak(link, before, history.get(link.day));
      if (detail) return report({ day: link.day, detail });
      before = link;
      valid.first ??= link.day;
      valid.last = link.day;
      valid.hash = link.hash;
      valid.days++;
    }
  }
}

function findBreak(
  link: ChainLink,
  before: ChainLink | null,
  history: DayTotals[] | undefined,
): string | null {
  if (before && link.day !== dayAfter(before.day)) return `the link of ${dayAfter(before.day)} is missing`;
  if (link.previousHash !== (before?.hash ?? NO_HASH)) return "the link does not continue the previous one";
  if (link.hash !== hashOf(link)) return "the stored hash does not match the link";
  for (const recomputed of history ?? []) {
    const stored = link.totals.find(({ pointType }) => pointType === recomputed.pointType);
    for (const movement of MOVEMENT_NAMES) {
      const [inLink, inHistory] = [stored?.[movement] ?? "0", recomputed[movement]];
      if (inLink !== inHistory)
        return `${recomputed.pointType} ${movement}: ${inLink} in the link, ${inHistory} in the history`;
    }
  }
  return null;
}

/** History that somebody added before the first link. */
async function findEarlier(sql: ISql, first: string): Promise<ChainReport["finding"]> {
  for (const movement of MOVEMENT_NAMES) {
    const rows = await readMovement(sql, movement, { from: null, before: first });
    const sum = formatPoints(
      rows.reduce((total, { points }) => total + parseSum(shortestPoints(points)), 0n),
    );
    if (sum !== "0")
      return { day: first, detail: `the history has ${sum} points ${movement} before the first link` };
  }
  return null;
}

/** Keys of the advisory lock that lets one process at a time write a link, across all instances. */
export const CHAIN_LOCK = { space: 7_262_542, key: 2 } as const;
const CHANGED_MEANWHILE = "40001";

/** Needs a pool of two. Returns the day it closed; null if none was over, or another process writes it. */
export async function closeDay(db: Database): Promise<string | null> {
  try {
    return await inOneSnapshot(db, "read write", closeInTransaction);
  } catch (error) {
    // Another process wrote the link between this one's snapshot and its lock.
    if (postgresError(error)?.code === CHANGED_MEANWHILE) return null;
    throw error;
  }
}

async function closeInTransaction(tx: TransactionSql): Promise<string | null> {
  await withoutTimeLimits(tx);
  if (!(await tryLock(tx, CHAIN_LOCK))) return null;
  const next = await nextLink(tx);
  if (!next || next.day >= (await firstOpenDay(tx))) return null;
  const totals = (await sumDays(tx, next.day, 1)).get(next.day)!;
  const hash = hashOf({ ...next, totals });
  await tx`
    insert into ledger_days (day, previous_hash, totals, hash)
    values (${next.day}::date, decode(${next.previousHash}, 'hex'),
      ${JSON.stringify(totals)}::text::jsonb, decode(${hash}, 'hex'))
    on conflict (day) do nothing`;
  return next.day;
}

/** Whether a day is over and has no link. Costs a few index reads. */
export async function isDayToClose({ sql }: Database): Promise<boolean> {
  const next = await nextLink(sql);
  return next !== null && next.day < (await firstOpenDay(sql));
}

/** The chain begins on the day of the first contract, since nothing is issued or submitted before. */
async function nextLink(sql: ISql): Promise<Pick<ChainLink, "day" | "previousHash"> | null> {
  const [last] = await sql<{ day: string; hash: string }[]>`
    select day::text, encode(hash, 'hex') as hash from ledger_days order by ledger_days.day desc limit 1`;
  if (last) return { day: dayAfter(last.day), previousHash: last.hash };
  const [first] = await sql<{ day: string | null }[]>`
    select to_char(min(created_at) at time zone 'UTC', 'YYYY-MM-DD') as day from contracts`;
  return first?.day ? { day: first.day, previousHash: NO_HASH } : null;
}

/** The first day that can still change: its transactions may not be committed yet. */
async function firstOpenDay(sql: ISql): Promise<string> {
  const [open] = await sql<{ day: string }[]>`
    select to_char(
      (now() - ${UNSETTLED_SECONDS}::int * interval '1 second') at time zone 'UTC', 'YYYY-MM-DD') as day`;
  return open!.day;
}
