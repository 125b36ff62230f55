import { settings } from "../kernel/settings";
import type { Figures } from "./read-figures";

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
