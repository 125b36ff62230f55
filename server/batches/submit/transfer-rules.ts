import type { z } from "zod";
import { POINT_TYPES } from "@/server/kernel/values/batch-terms";
import type { BatchLimits } from "../../kernel/batch-limits";
import { rowRules } from "./row-rules";

/** Checks every row even when others are malformed, so that one reply lists all errors. */
export function checkTransfers(payload: z.core.ParsePayload, limits: BatchLimits): void {
  const body = payload.value as { transfers?: unknown; pointType?: unknown; contractAddress?: unknown };
  if (!Array.isArray(body?.transfers) || body.transfers.length > limits.transfersMax) return;
  const { checkDestination, checkPoints } = rowRules({
    contractAddress: typeof body.contractAddress === "string" ? body.contractAddress : "",
    pointType: POINT_TYPES.find((type) => type === body.pointType),
    limits,
    report: ({ row, field, code, detail }) =>
      payload.issues.push({
        code: "custom",
        path: ["transfers", row, field],
        input: undefined,
        message: detail,
        params: { code },
      }),
  });
  for (let row = 0; row < body.transfers.length; row++) {
    const { toAddress, points } = (body.transfers[row] ?? {}) as Record<string, unknown>;
    if (typeof toAddress === "string") checkDestination(row, toAddress);
    if (typeof points === "string") checkPoints(row, points);
  }
}
