import type { Sql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { schemaIsCurrent } from "@/db/migrate";
import { BATCH_STATUSES, type BatchStatus } from "@/server/kernel/values/batch-terms";
import { oldestDue } from "../batches/list/conditions";
import { COUNT_MAX } from "../operations/read-state";

/** Time limit of one metrics query. */
const STATEMENT_MS_MAX = 500;

/** Metrics from the database, the same for every process that uses it. */
export interface Figures {
  /** At most `COUNT_MAX` + 1 each. */
  batches: Record<BatchStatus, number>;
  held: number;
  awaitingApproval: number;
  /** 0 when nothing is overdue. */
  oldestOverdueSeconds: number;
  /** Longest delay between due and finalized in runs of the last minute. */
  finalizerLagSeconds: number;
  /** Null if no finalizer ever ran. */
  lastTickSeconds: number | null;
  settledBatches: number;
  settledTransfers: number;
  check: CheckFigures | null;
  schema: { applied: number; expected: number };
}

interface CheckFigures {
  isOk: boolean;
  isWhole: boolean;
  findings: number;
  ageSeconds: number;
  /** Since the last check that passed. Null if none ever did. */
  goodAgeSeconds: number | null;
  /** Since the last full round over all transfers. Null before the first one. */
  roundAgeSeconds: number | null;
}

/** Reads the metrics, each from a few index rows. @throws database errors when it is down or too slow */
export async function readFigures(db: Database): Promise<Figures> {
  const schema = await schemaIsCurrent(db.sql);
  return await db.sql.begin("read only", async (tx) => {
    await tx`select set_config('statement_timeout', ${String(STATEMENT_MS_MAX)}, true)`;
    const [row] = await figuresQuery(tx);
    const { batches, ...rest } = row!;
    const counted = BATCH_STATUSES.map((status, index) => [status, batches[index]!] as const);
    return {
      ...rest,
      batches: Object.fromEntries(counted) as Figures["batches"],
      schema: { applied: schema.applied, expected: schema.expected },
    };
  });
}

/** Counts stop at `COUNT_MAX` + 1. The finalizer's runs keep the totals. */
export function figuresQuery(sql: Sql | TransactionSql) {
  const counts = BATCH_STATUSES.map(
    (status, place) => sql`${place === 0 ? sql`` : sql`, `}(select count(*)::int from (
      select 1 from batches where status = ${status}::batch_status limit ${COUNT_MAX + 1}) as counted)`,
  );
  return sql<(Omit<Figures, "batches" | "schema"> & { batches: number[] })[]>`
    select array[${counts}] as batches,
      (select count(*)::int from (
        select 1 from batches where status = 'PENDING' and held_at is not null limit ${COUNT_MAX + 1}) as counted) as held,
      (select count(*)::int from (
        select 1 from batches where status = 'PENDING' and awaits_approval limit ${COUNT_MAX + 1}) as counted)
        as "awaitingApproval",
      coalesce(extract(epoch from now() - ${oldestDue(sql)})::float8, 0) as "oldestOverdueSeconds",
      coalesce((select max(lag_seconds_max) from finalizer_runs
        where finished_at > now() - interval '1 minute'), 0) as "finalizerLagSeconds",
      -- A tick can be committed after this statement's own time.
      (select greatest(extract(epoch from now() - last_tick_at), 0)::float8 from finalizer_heartbeat) as "lastTickSeconds",
      coalesce((select batches_finalized::float8 from finalizer_heartbeat), 0) as "settledBatches",
      coalesce((select transfers_settled::float8 from finalizer_heartbeat), 0) as "settledTransfers",
      (select jsonb_build_object('isOk', is_ok, 'isWhole', not findings @> '[{"rule":"check_completed"}]',
          'findings', jsonb_array_length(findings), 'ageSeconds', greatest(extract(epoch from now() - finished_at), 0),
          'goodAgeSeconds', (select greatest(extract(epoch from now() - finished_at), 0) from ledger_checks
            where is_ok order by finished_at desc limit 1),
          'roundAgeSeconds', (select greatest(extract(epoch from now() - round_finished_at), 0) from ledger_checkpoint))
        from ledger_checks order by finished_at desc limit 1) as check`;
}
