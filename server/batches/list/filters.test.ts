import { expect, test } from "vitest";
import type { BatchFilters } from "./console-schema";
import { possibleStatuses } from "./filters";

const AT = "2026-03-01T00:00:00.000Z";

test.each<[filters: BatchFilters, statuses: string[]]>([
  [{}, ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"]],
  [{ statuses: [] }, ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"]],
  [{ statuses: ["CANCELLED", "FINALIZED"], finalizedAfter: AT }, ["FINALIZED"]],
  [{ overdue: true }, ["PENDING", "FINALIZING"]],
  [{ overdue: true, unblocked: true }, ["PENDING"]],
  [{ held: true, finalizedBefore: AT }, []],
  [{ awaitingApproval: true, statuses: ["CANCELLED"] }, []],
  [{ overdue: true, finalizedAfter: AT }, []],
])("%j leaves the statuses %j", (filters, statuses) => {
  expect(possibleStatuses(filters)).toEqual(statuses);
});
