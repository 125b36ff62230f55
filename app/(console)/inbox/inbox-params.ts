import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsStringLiteral,
} from "nuqs/server";
import { ALERT_KINDS, ALERT_STATES, type AlertKind } from "@/server/alerts/kinds";
import type { AlertFilters } from "@/server/alerts/schema";

export const inboxParams = {
  state: parseAsStringLiteral(ALERT_STATES).withDefault("open"),
  kind: parseAsArrayOf(parseAsStringLiteral(ALERT_KINDS)),
  unseen: parseAsBoolean,
};

export const loadInboxParams = createLoader(inboxParams);
export const inboxQuery = createSerializer(inboxParams);
export type InboxParams = inferParserType<typeof inboxParams>;

/** Used by the server and the browser, so that they share a cache key. */
export const toAlertFilters = ({ state, kind, unseen }: InboxParams): AlertFilters => ({
  state,
  ...(kind?.length && { kinds: kind.toSorted() }),
  ...(unseen && { isUnseen: true }),
});

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
