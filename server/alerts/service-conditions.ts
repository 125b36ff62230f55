import type { ServiceContext } from "../kernel/context";
import { conditionsOf, type ServiceCondition } from "../operations/conditions";
import { readSelfCheck } from "../operations/last-check";
import { listRuns } from "../operations/list-runs";
import { readState } from "../operations/read-state";
import type { Condition } from "./kinds";

const PATHS = {
  tick: "/operations",
  overdue: "/batches?status=OVERDUE",
  run: "/operations?runs=failed",
  check: "/operations",
} as const satisfies Record<ServiceCondition["kind"], string>;

const CRITICAL: readonly ServiceCondition["cause"][] = ["tick", "overdue", "unbalanced"];

/** What the Operations page warns about. */
export async function serviceConditions(ctx: ServiceContext): Promise<Condition[]> {
  const [state, check, runs] = await Promise.all([
    readState(ctx),
    readSelfCheck(ctx),
    listRuns(ctx, { failedOnly: false }),
  ]);
  const found = conditionsOf({ state, check, lastRun: runs[0], nowMs: Date.now() });
  const conditions: Condition[] = found.map(({ kind, cause, title, remedy }) => ({
    kind,
    // Each result has its own alert, so that an imbalance is sent even while an alert about an unfinished check is open.
    subject: kind === "check" ? cause : "",
    severity: CRITICAL.includes(cause) ? "critical" : "warning",
    title,
    remedy,
    path: PATHS[kind],
  }));
  const isUnknown = found.some(({ kind, cause }) => kind === "check" && cause !== "unbalanced");
  return isUnknown ? [...conditions, ...(await openImbalance(ctx))] : conditions;
}

/** An imbalance lasts until a check finds the ledger in balance, not until a check fails to finish. */
const openImbalance = ({ db: { sql } }: ServiceContext) => sql<Condition[]>`
  select kind, subject, severity, title, remedy, path from alerts
  where kind = 'check' and subject = 'unbalanced' and ended_at is null`;
