import type { ServiceContext } from "../kernel/context";

const RUNS_MAX = 30;
/** How many recent runs to search for failures, which are rare and not indexed. */
const LOOKED_AT_MAX = 5_000;

export interface RecentRun {
  id: string;
  startedBy: string;
  finishedAt: string;
  seconds: number;
  batchesFinalized: number;
  transfersSettled: number;
  lagSecondsMax: number;
  /** An error message for staff. Null if the run succeeded. */
  failure: string | null;
}

/** The last runs that finalized something or failed, newest first. Optionally only failed runs. */
export async function listRuns(
  { db: { sql } }: ServiceContext,
  input: { failedOnly: boolean },
): Promise<RecentRun[]> {
  const rows = await sql<RecentRun[]>`
    select id, started_by as "startedBy",
      to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "finishedAt",
      round(greatest(0, extract(epoch from finished_at - started_at)), 2)::float8 as seconds,
      batches_finalized as "batchesFinalized", transfers_settled as "transfersSettled",
      lag_seconds_max as "lagSecondsMax", failure
    from (select * from finalizer_runs order by finished_at desc limit ${LOOKED_AT_MAX}) as last
    where ${input.failedOnly ? sql`failure is not null` : sql`(batches_finalized > 0 or failure is not null)`}
    order by finished_at desc limit ${RUNS_MAX}`;
  return [...rows];
}
