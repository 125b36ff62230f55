import { referenceOf } from "@/server/allocations/list-payments";
import { PAYERS } from "@/terms/claims/payers";
import { formatUnits } from "@/terms/units";
import { claimTexts, type FileAllocation, type StoredClaims } from "./claim-text";

/**
 * What New payout reads, which refuses rows of another type than the batch's. A contract pays a reference
 * once, and so each holder once for a snapshot.
 */
export async function* payCsv(allocation: FileAllocation, { read }: StoredClaims): AsyncGenerator<string> {
  const type = allocation.payer && PAYERS[allocation.payer].pointType;
  const ending = type ? `,${type}\n` : "\n";
  yield `address,points,reference${type ? ",pointType" : ""}\n`;
  yield* claimTexts(
    read,
    ({ amount }, address) =>
      `${address},${formatUnits(amount, allocation.decimals)},${referenceOf(allocation, address)}${ending}`,
  );
}
