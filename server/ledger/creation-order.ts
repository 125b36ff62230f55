import type { Database } from "@/db/client";

/** First key of the advisory locks that submits hold; the second is the contract's. */
export const SUBMIT_LOCK_SPACE = 7_041_001;

/** Second key of a contract's submit lock: 31 bits of its address. */
export function submitLockKey(contract: Uint8Array): number {
  return Buffer.from(contract).readUInt32BE(16) & 0x7fffffff;
}

/**
 * The instant before which no submit can still appear: batches become visible at commit, not in order of creation, and
 * a reader in ascending order must not pass one that is still committing. Read it before the page, never after: a
 * submit that commits between the two would else be in neither. A submit takes its creation time under a shared
 * advisory lock, so an in-flight one is seen by that lock, and its transaction started no later than its creation time.
 */
export async function creationHorizon(db: Database, contract?: Uint8Array): Promise<string> {
  const ofContract = contract ? db.sql`and l.objid = ${submitLockKey(contract)}::int::oid` : db.sql``;
  const [row] = await db.sql<{ horizon: string }[]>`
    select to_char(date_trunc('milliseconds', least(now(), min(coalesce(a.xact_start, now() - interval '1 minute'))))
      at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as horizon
    from pg_locks l left join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.objsubid = 2 and l.classid = ${SUBMIT_LOCK_SPACE}::int::oid
      and l.database = (select oid from pg_database where datname = current_database()) ${ofContract}`;
  return row!.horizon;
}
