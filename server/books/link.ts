import { createHash } from "node:crypto";
import type { ISql } from "postgres";
import type { PointType } from "@/server/kernel/values/batch-terms";

/** What happened on a day in one point type, which never changes after the day. Amounts are in shortest exact form. */
export interface DayTotals {
  pointType: PointType;
  issued: string;
  submitted: string;
  cancelled: string;
  finalized: string;
}

/** A link of the chain. Hashes are 64 hex digits. */
export interface Link {
  /** A UTC day such as `2026-01-31`. */
  day: string;
  previousHash: string;
  totals: DayTotals[];
  hash: string;
}

/** The `previousHash` of the first link. */
export const NO_HASH = "0".repeat(64);

/** SHA-256 of the link's canonical text (docs/books.md). Anyone can recompute it, so the text must never change. */
export function hashOf({ day, previousHash, totals }: Omit<Link, "hash">): string {
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
export async function readLinks(sql: ISql, from: string | null, limit: number): Promise<Link[]> {
  return await sql<Link[]>`
    select day::text, encode(previous_hash, 'hex') as "previousHash", totals, encode(hash, 'hex') as hash
    from ledger_days where ${from === null ? sql`true` : sql`day >= ${from}::date`} order by ledger_days.day limit ${limit}`;
}
