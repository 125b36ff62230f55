import { setTimeout as sleep } from "node:timers/promises";
import type { Sql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { schemaIsCurrent } from "@/db/migrate";
import { oldestDue } from "@/server/batches/list/conditions";
import { database } from "@/server/kernel/database";
import { checkBearerSecret } from "@/server/kernel/http";
import { cached } from "@/server/kernel/limits";
import { log } from "@/server/kernel/log";
import { metricsText } from "@/server/kernel/metrics/process-metrics";
import { settings } from "@/server/kernel/settings";
import { BATCH_STATUSES, type BatchStatus } from "@/server/kernel/values/batch-terms";
import { DomainError } from "@/server/kernel/values/problems";
import { COUNT_MAX } from "@/server/operations/read-state";

const HOUR_SECONDS = 3600;

/** Database metrics in Prometheus text format. Only `ptb_database_up 0` when they could not be read: no stale values. */
export async function figureLines(figures: Figures | null): Promise<string> {
  const { Counter, Gauge, Registry } = await import("prom-client");
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, value: number | null) => {
    // The library would export 0 for a missing value.
    if (value !== null) new Gauge({ name, help, registers }).set(value);
  };
  const gaugesBy = (label: string, name: string, help: string, values: Record<string, number>) => {
    const made = new Gauge({ name, help, registers, labelNames: [label] });
    for (const [key, value] of Object.entries(values)) made.set({ [label]: key }, value);
  };
  const counter = (name: string, help: string, value: number) =>
    new Counter({ name, help, registers }).inc(value);

  gauge("ptb_database_up", "Whether the database metrics below could be read.", figures ? 1 : 0);
  if (!figures) return registry.metrics();
  const { batches, held, awaitingApproval, schema, check } = figures;
  gaugesBy("status", "ptb_batches", "Batches by status, counted up to 10,001.", batches);
  gauge("ptb_batches_held", "Batches on hold, counted up to 10,001.", held);
  gauge(
    "ptb_batches_awaiting_approval",
    "Batches that await approval, counted up to 10,001.",
    awaitingApproval,
  );
  gauge(
    "ptb_oldest_overdue_seconds",
    "How overdue the oldest due batch is. 0 when none is due.",
    figures.oldestOverdueSeconds,
  );
  gauge(
    "ptb_finalizer_lag_seconds",
    "Longest delay between due and finalized in the last minute's runs.",
    figures.finalizerLagSeconds,
  );
  gauge(
    "ptb_finalizer_last_tick_seconds",
    "Time since any finalizer last ran. Absent if none ever did.",
    figures.lastTickSeconds,
  );
  counter("ptb_settled_batches_total", "Batches finalized, by all processes.", figures.settledBatches);
  counter("ptb_settled_transfers_total", "Transfers credited, by all processes.", figures.settledTransfers);
  gauge(
    "ptb_backup_age_seconds",
    "Time since the snapshot of the last backup that the service's own command wrote. Absent before the first one.",
    figures.backupAgeSeconds,
  );
  gaugesBy(
    "kind",
    "ptb_schema_migrations",
    "Migrations that this version expects, and migrations applied to the database.",
    schema,
  );
  gauge(
    "ptb_ledger_check_every_seconds",
    "Configured time between ledger self-checks. 0 when they are off.",
    settings().SELF_CHECK_EVERY_HOURS * HOUR_SECONDS,
  );
  if (!check) return registry.metrics();
  gauge("ptb_ledger_check_ok", "Whether the last ledger self-check passed.", check.isOk ? 1 : 0);
  gauge("ptb_ledger_check_completed", "Whether the last ledger self-check completed.", check.isWhole ? 1 : 0);
  gauge(
    "ptb_ledger_check_findings",
    "Differences found by the last ledger self-check, at most 100.",
    check.findings,
  );
  gauge("ptb_ledger_check_age_seconds", "Time since the last ledger self-check.", check.ageSeconds);
  gauge(
    "ptb_ledger_check_good_age_seconds",
    "Time since a ledger self-check last passed. Absent if none ever did.",
    check.goodAgeSeconds,
  );
  gauge(
    "ptb_ledger_check_round_age_seconds",
    "Time since a full round of checks over all transfers. Absent before the first one.",
    check.roundAgeSeconds,
  );
  return registry.metrics();
}

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
  /** Of `ops backup`. Null if none was ever written. */
  backupAgeSeconds: number | null;
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
      select 1 from batches where point_type = any(enum_range(null::point_type)) and status = ${status}::batch_status limit ${COUNT_MAX + 1}) as counted)`,
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
      (select greatest(extract(epoch from now() - (detail->>'takenAt')::timestamptz), 0)::float8 from audit_log
        where action = 'backup.write' order by id desc limit 1) as "backupAgeSeconds",
      (select jsonb_build_object('isOk', is_ok, 'isWhole', not findings @> '[{"rule":"check_completed"}]',
          'findings', jsonb_array_length(findings), 'ageSeconds', greatest(extract(epoch from now() - finished_at), 0),
          'goodAgeSeconds', (select greatest(extract(epoch from now() - finished_at), 0) from ledger_checks
            where is_ok order by finished_at desc limit 1),
          'roundAgeSeconds', (select greatest(extract(epoch from now() - round_finished_at), 0) from ledger_checkpoint))
        from ledger_checks order by finished_at desc limit 1) as check`;
}

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Limits database queries, no matter how often the metrics are scraped. */
const KEPT_SECONDS = 5;

/** A scrape waits no longer for the database. */
const FIGURES_MS_MAX = 1500;

/** Database metrics, at most five seconds old. Null when they could not be read in time. */
async function cachedFigures(): Promise<Figures | null> {
  const figures = cached("figures", "", KEPT_SECONDS, () =>
    readFigures(database()).catch((error: unknown) => {
      log().warn({ error }, "could not read the database metrics");
      return null;
    }),
  );
  return await Promise.race([figures, sleep(FIGURES_MS_MAX, null, { ref: false })]);
}

/** @throws DomainError `not_found` without METRICS_TOKEN, `missing_token`, `invalid_token` */
export async function answerMetrics(request: Request): Promise<Response> {
  const { METRICS_TOKEN } = settings();
  if (!METRICS_TOKEN)
    throw new DomainError("not_found", "Metrics are disabled. Set METRICS_TOKEN to enable them.");
  checkBearerSecret(request.headers.get("authorization"), METRICS_TOKEN, "metrics token");
  const texts = await Promise.all([metricsText(), cachedFigures().then(figureLines)]);
  const text = texts.map((part) => `${part.trimEnd()}\n`).join("");
  return new Response(text, { headers: { "Content-Type": CONTENT_TYPE } });
}
