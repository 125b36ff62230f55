import type { z } from "zod";
import { ADDRESS_DETAIL } from "../fields";
import { addressFault, addressKey, ZERO_ADDRESS } from "../ledger/addresses";
import { POINT_TYPES, type PointType } from "../ledger/point-types";
import { isAtLeast, isPoints } from "../ledger/points";
import type { FieldCode } from "../problems";
import type { BatchLimits } from "./limits";

type Report = (row: number, field: "toAddress" | "points", code: FieldCode, detail: string) => void;

/**
 * The rules of rows that need no database (api.md, "Fields and limits"), for every row even when others are of the
 * wrong shape, so that a caller learns all that is wrong at once.
 */
export function checkTransfers(payload: z.core.ParsePayload, limits: BatchLimits): void {
  const body = payload.value as { transfers?: unknown; pointType?: unknown; contractAddress?: unknown };
  if (!Array.isArray(body?.transfers) || body.transfers.length > limits.transfersMax) return;
  const pointType = POINT_TYPES.find((type) => type === body.pointType);
  const contract = typeof body.contractAddress === "string" ? addressKey(body.contractAddress) : "";
  const report: Report = (row, field, code, detail) =>
    payload.issues.push({
      code: "custom",
      path: ["transfers", row, field],
      input: undefined,
      message: detail,
      params: { code },
      continue: true,
    });
  const checkPoints = pointsRule(pointType, limits, report);
  const checkDestination = destinationRule(contract, report);
  for (let row = 0; row < body.transfers.length; row++) {
    const { toAddress, points } = (body.transfers[row] ?? {}) as Record<string, unknown>;
    if (typeof toAddress === "string") checkDestination(row, toAddress);
    if (typeof points === "string") checkPoints(row, points);
  }
}

function pointsRule(pointType: PointType | undefined, limits: BatchLimits, report: Report) {
  const least = pointType && limits.minimumPoints[pointType];
  return (row: number, points: string) => {
    if (!isPoints(points)) {
      report(
        row,
        "points",
        "invalid_points",
        "must be a plain decimal string, at most 26 digits before the point and 12 after",
      );
      return;
    }
    if (least !== undefined && !isAtLeast(points, least)) {
      report(row, "points", "points_below_minimum", `must be at least ${least} ${pointType}`);
    }
  };
}

function destinationRule(contract: string, report: Report) {
  const firstRowOf = new Map<string, number>();
  return (row: number, toAddress: string) => {
    const fault = addressFault(toAddress);
    if (fault) return report(row, "toAddress", fault, ADDRESS_DETAIL[fault]);
    const key = addressKey(toAddress);
    const first = firstRowOf.get(key);
    if (first !== undefined) {
      return report(
        row,
        "toAddress",
        "duplicate_destination",
        `is the destination of row ${first} too; add the two up`,
      );
    }
    firstRowOf.set(key, row);
    if (key === contract)
      report(row, "toAddress", "destination_is_contract", "is the sending contract itself");
    if (key === ZERO_ADDRESS) report(row, "toAddress", "destination_is_zero", "is the zero address");
  };
}
