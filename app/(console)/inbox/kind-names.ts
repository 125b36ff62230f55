import type { AlertKind } from "@/server/alerts/schema";

export const KIND_NAMES = {
  check: "Self-check",
  tick: "Finalizer",
  overdue: "Overdue batches",
  run: "Failed runs",
  batch: "Unusual batches",
  approval: "Awaiting approval",
  proposal: "Proposed changes",
  points: "Running out of points",
  webhook: "Disabled webhooks",
} as const satisfies Record<AlertKind, string>;
