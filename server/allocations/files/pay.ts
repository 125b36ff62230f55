import { referenceOf } from "@/server/allocations/list-payments";
import { formatUnits } from "@/terms/units";
import { claimTexts, type FileAllocation, type StoredClaims } from "./claim-text";

/** What New payout reads. A contract pays a reference once, and so each holder once for a snapshot. */
export async function* payCsv(allocation: FileAllocation, { read }: StoredClaims): AsyncGenerator<string> {
  yield "address,points,reference\n";
  yield* claimTexts(
    read,
    ({ amount }, address) =>
      `${address},${formatUnits(amount, allocation.decimals)},${referenceOf(allocation, address)}\n`,
  );
}
