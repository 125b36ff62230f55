import type { PointType } from "@/server/kernel/values/batch-terms";
import type { Issuance } from "../contracts/register-contract";
import { addressFromBytes } from "../kernel/values/addresses";
import { shortestPoints } from "../kernel/values/points";
import type { ChangeKind, ContractChange } from "./console-schema";

/** The columns of `contract_changes` that say what changes. Those of other kinds are null. */
export interface ChangeRow {
  kind: ChangeKind;
  point_type: PointType | null;
  threshold: string | null;
  on_unusual: boolean | null;
  day_threshold: string | null;
  points: string | null;
  issuance: Issuance | null;
  operator_address: Buffer | null;
  operator_before: Buffer | null;
}

/** A constraint ensures that a row has the columns of its kind. */
export function toChange(row: ChangeRow): ContractChange {
  switch (row.kind) {
    case "RULE":
      return {
        kind: row.kind,
        pointType: row.point_type!,
        threshold: row.threshold && shortestPoints(row.threshold),
        onUnusual: row.on_unusual!,
        dayThreshold: row.day_threshold && shortestPoints(row.day_threshold),
      };
    case "GRANT":
      return { kind: row.kind, pointType: row.point_type!, points: shortestPoints(row.points!) };
    case "ISSUANCE":
      return { kind: row.kind, issuance: row.issuance! };
    case "OPERATOR":
      return {
        kind: row.kind,
        operatorBefore: row.operator_before && addressFromBytes(row.operator_before),
        operatorAddress: row.operator_address && addressFromBytes(row.operator_address),
      };
  }
}
