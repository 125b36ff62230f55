import { formatCount } from "@/app/ui/amount";
import type { AllocationOut } from "@/server/allocations/schema";
import type { BatchLimits } from "@/terms/batch-limits";
import { PAYERS, unitOf } from "@/terms/claims/payers";
import { ROWS_MAX } from "@/terms/file/decode-file";
import { POINTS_DECIMALS } from "@/terms/points";
import { PARTS_MAX } from "./batch-fields";

/** Why New payout cannot pay an allocation, or null. */
export function payRefusal(allocation: AllocationOut, { transfersMax }: Pick<BatchLimits, "transfersMax">) {
  const { publishedAt, payer, decimals, claims } = allocation;
  const rowsMax = Math.min(ROWS_MAX, PARTS_MAX * transfersMax);
  if (publishedAt === null) return "It is not published, so it can still be deleted. Publish it first.";
  if (payer && unitOf(payer) === "tokens")
    return `Its amounts are tokens. Who pays it out: ${PAYERS[payer].name}.`;
  if (decimals > POINTS_DECIMALS)
    return `Points have at most ${POINTS_DECIMALS} decimals, and its amounts have ${decimals}.`;
  if (claims !== null && claims > rowsMax)
    return (
      `It has ${formatCount(claims)} claims, and a payout has up to ${formatCount(rowsMax)} rows at a ` +
      "time. Download “Payout”, split the file, and make a payout of each, by the same " +
      "contract. It pays each reference only once."
    );
  return null;
}
