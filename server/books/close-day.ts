import type { ISql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { inOneSnapshot } from "@/server/kernel/shards";
import { postgresError } from "../kernel/database-errors";
import { UNSETTLED_SECONDS } from "../ledger/checkpoint";
import { dayAfter, hashOf, NO_HASH } from "./link";
import { sumDays } from "./sum-days";

/** Keys of the advisory lock that lets one process at a time write a link, across all instances. */
export const CHAIN_LOCK = { space: 7_262_542, key: 2 } as const;
const CHANGED_MEANWHILE = "40001";

interface NextLink {
  day: string;
  previousHash: string;
}

/**
 * Writes the link of the earliest day that is over and has none. Needs a pool of two connections.
 * @returns the day; null when there is none, or another process is writing it
 */
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
  const [claim] = await tx<{ isMine: boolean }[]>`
    select pg_try_advisory_xact_lock(${CHAIN_LOCK.space}::int, ${CHAIN_LOCK.key}::int) as "isMine"`;
  if (!claim!.isMine) return null;
  const next = await nextLink(tx);
  if (!next || next.day >= (await firstOpenDay(tx))) return null;
  const totals = (await sumDays(tx, next.day, 1)).get(next.day)!;
  const hash = hashOf({ ...next, totals });
  await tx`
    insert into ledger_days (day, previous_hash, totals, hash)
    values (${next.day}::date, decode(${next.previousHash}, 'hex'), ${JSON.stringify(totals)}::text::jsonb, decode(${hash}, 'hex'))
    on conflict (day) do nothing`;
  return next.day;
}

/** Whether a day is over and has no link. Costs a few index reads. */
export async function isDayToClose({ sql }: Database): Promise<boolean> {
  const next = await nextLink(sql);
  return next !== null && next.day < (await firstOpenDay(sql));
}

/** The chain begins on the day of the first contract, since nothing is issued or submitted before. */
async function nextLink(sql: ISql): Promise<NextLink | null> {
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
    select to_char((now() - ${UNSETTLED_SECONDS}::int * interval '1 second') at time zone 'UTC', 'YYYY-MM-DD') as day`;
  return open!.day;
}
