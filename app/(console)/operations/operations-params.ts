import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { counted } from "@/app/ui/amount";
import { RANGES } from "@/server/operations/chart-ranges";

const params = {
  range: parseAsStringLiteral(RANGES).withDefault("1h"),
  runs: parseAsStringLiteral(["all", "failed"] as const).withDefault("all"),
};

export type OperationsParams = Awaited<ReturnType<typeof loadOperationsParams>>;
export const loadOperationsParams = createLoader(params);
const toQuery = createSerializer(params);
export const operationsPath = (given: Partial<OperationsParams>) => toQuery("/operations", given);

/** The most findings that a check stores. */
const FINDINGS_MAX = 100;

/** `1 finding`, `100 or more findings`. */
export const countedFindings = (count: number) =>
  count < FINDINGS_MAX ? counted(count, "finding", "findings") : `${FINDINGS_MAX} or more findings`;
