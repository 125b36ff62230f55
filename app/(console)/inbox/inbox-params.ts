import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { ALERT_STATES, type AlertKind } from "@/server/alerts/kinds";

export const inboxParams = { state: parseAsStringLiteral(ALERT_STATES).withDefault("open") };

export const loadInboxParams = createLoader(inboxParams);
export const inboxQuery = createSerializer(inboxParams);

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
