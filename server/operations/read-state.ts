import type { Sql } from "postgres";
import { oldestDue } from "../batches/list/conditions";
import type { ServiceContext } from "../kernel/context";
import { settings } from "../kernel/settings";

/** Counts stop here. More is shown as `10,000+`. */
export const COUNT_MAX = 10_000;

export interface FinalizingState {
  /** Due batches that are not on hold, including those being finalized now. At most `COUNT_MAX` + 1. */
  due: number;
  /** How overdue the oldest of them is, in seconds. Null when none is due. */
  oldestOverdueSeconds: number | null;
  /** Batches on hold. At most `COUNT_MAX` + 1. */
  held: number;
  /** Seconds since a finalizer last ran. Null if none ever did. */
  lastTickSeconds: number | null;
  lastTickAt: string | null;
  /** Whether this host runs a finalizer. Otherwise the cron route must be called. */
  finalizerIsOn: boolean;
}

/** The due and held batches, and whether a finalizer is running. */
export async function readState({ db }: ServiceContext): Promise<FinalizingState> {
  const [state] = await stateQuery(db.sql);
  return { ...state!, finalizerIsOn: settings().FINALIZER };
}

/** Each part reads a few rows of a partial index. */
export function stateQuery(sql: Sql) {
  return sql<Omit<FinalizingState, "finalizerIsOn">[]>`
    select (select count(*)::int from (
        (select 1 from batches where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now() limit ${COUNT_MAX + 1})
        union all
        (select 1 from batches where status = 'FINALIZING' limit ${COUNT_MAX + 1}) limit ${COUNT_MAX + 1}) as due) as due,
      floor(extract(epoch from now() - ${oldestDue(sql)}))::int as "oldestOverdueSeconds",
      (select count(*)::int from (
        select 1 from batches where status = 'PENDING' and held_at is not null limit ${COUNT_MAX + 1}) as held) as held,
      (select floor(extract(epoch from now() - last_tick_at))::int from finalizer_heartbeat) as "lastTickSeconds",
      (select to_char(last_tick_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from finalizer_heartbeat)
        as "lastTickAt"`;
}
