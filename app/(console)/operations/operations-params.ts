import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { RANGES } from "@/server/operations/ranges";

const params = {
  range: parseAsStringLiteral(RANGES).withDefault("1h"),
  runs: parseAsStringLiteral(["all", "failed"] as const).withDefault("all"),
};

export type OperationsParams = Awaited<ReturnType<typeof loadOperationsParams>>;
export const loadOperationsParams = createLoader(params);
const toQuery = createSerializer(params);
export const operationsPath = (given: Partial<OperationsParams>) => toQuery("/operations", given);
