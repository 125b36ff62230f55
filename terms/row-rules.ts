import { addressDetail, addressError, addressKey, ZERO_ADDRESS } from "./address-text";
import type { BatchLimits } from "./batch-limits";
import { type PointType, REFERENCE_PATTERN, REFERENCE_RULE } from "./batch-terms";
import { isAtLeast, isPoints } from "./points";
import type { FieldCode } from "./problems";

export interface RowError<Field = "toAddress" | "points"> {
  /** Zero-based, like `firstRow`. */
  row: number;
  field: Field;
  code: FieldCode;
  detail: string;
  firstRow?: number;
}

type Report = (error: RowError) => void;

interface RowRulesOptions {
  /** The sending contract; empty if unknown. */
  contractAddress: string;
  pointType: PointType | undefined;
  limits: Pick<BatchLimits, "minimumPoints" | "zeroAddressAllowed">;
  report: Report;
}

/** The rules for rows that need no database, used by the service and the browser. */
export const rowRules = ({ contractAddress, pointType, limits, report }: RowRulesOptions) => ({
  checkPoints: pointsRule(pointType, limits, report),
  checkDestination: destinationRule(addressKey(contractAddress), limits, report),
});

function pointsRule(pointType: PointType | undefined, limits: RowRulesOptions["limits"], report: Report) {
  const least = pointType && limits.minimumPoints[pointType];
  return (row: number, points: string) => {
    if (!isPoints(points)) {
      report({
        row,
        field: "points",
        code: "invalid_points",
        detail:
          "must be a decimal string such as 10.5, without a comma, an exponent or leading zeros, " +
          "of up to 26 digits before the point and 12 after it",
      });
      return;
    }
    if (least === undefined || isAtLeast(points, least)) return;
    const detail = `must be at least ${least} ${pointType}`;
    report({ row, field: "points", code: "points_below_minimum", detail });
  };
}

function destinationRule(contract: string, limits: RowRulesOptions["limits"], report: Report) {
  const firstRowOf = new Map<string, number>();
  return (row: number, toAddress: string) => {
    const refuse = (code: FieldCode, detail: string, firstRow?: number) =>
      report({ row, field: "toAddress", code, detail, firstRow });
    const error = addressError(toAddress);
    if (error) return refuse(error, addressDetail(toAddress, error));
    const key = addressKey(toAddress);
    const first = firstRowOf.get(key);
    if (first !== undefined)
      return refuse(
        "duplicate_destination",
        `has the same destination as /transfers/${first}; combine the two`,
        first,
      );
    firstRowOf.set(key, row);
    const refused = refusedAddress(key, contract, limits.zeroAddressAllowed);
    if (refused) refuse(refused, REFUSED[refused]);
  };
}

const REFUSED = {
  destination_is_contract: "is the sending contract itself",
  destination_is_zero: "is the zero address",
} as const;

/** Why nothing may be sent to a valid address. */
export function refusedAddress(
  key: string,
  contract: string,
  zeroAddressAllowed: boolean,
): keyof typeof REFUSED | null {
  if (key === contract) return "destination_is_contract";
  return key === ZERO_ADDRESS && !zeroAddressAllowed ? "destination_is_zero" : null;
}

/** Apart from the others, because most rows have no reference. */
export function referenceRule(report: (error: RowError<"reference">) => void) {
  const firstRowOf = new Map<string, number>();
  return (row: number, reference: string) => {
    const refuse = (code: FieldCode, detail: string, firstRow?: number) =>
      report({ row, field: "reference", code, detail, firstRow });
    if (!REFERENCE_PATTERN.test(reference)) return refuse("invalid_value", REFERENCE_RULE);
    const first = firstRowOf.get(reference);
    if (first !== undefined)
      return refuse("duplicate_reference", `has the same reference as /transfers/${first}`, first);
    firstRowOf.set(reference, row);
  };
}
