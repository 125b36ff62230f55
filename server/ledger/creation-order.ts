import type { Database } from "@/db/client";

/** First key of the advisory lock that a submit holds. The second key identifies the contract. */
export const SUBMIT_LOCK_SPACE = 7_041_001;

/** Second key of the submit lock: 31 bits of the contract's address. */
export function submitLockKey(contract: Uint8Array): number {
  return Buffer.from(contract).readUInt32BE(16) & 0x7fffffff;
}

/**
 * The time before which no new batch can appear. Batches become visible at commit, not in order of creation,
 * so an ascending reader must not skip one that is still committing. Read the horizon before the page.
 * Otherwise a submit that commits in between is in neither. Submits take their creation time under a shared
 * advisory lock, which reveals those in flight. Their transactions started no later than their creation time.
 */
export async function creationHorizon(db: Database, contract?: Uint8Array): Promise<string> {
  const ofContract = contract ? db.sql`and l.objid = ${submitLockKey(contract)}::int::oid` : db.sql``;
  const [row] = await db.sql<{ horizon: string }[]>`
    select to_char(
      date_trunc('milliseconds', least(now(), min(coalesce(a.xact_start, now() - interval '1 minute'))))
        at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as horizon
    from pg_locks l left join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.objsubid = 2 and l.classid = ${SUBMIT_LOCK_SPACE}::int::oid
      and l.database = (select oid from pg_database where datname = current_database()) ${ofContract}`;
  return row!.horizon;
}
