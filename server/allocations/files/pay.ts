import { referencePrefix } from "@/server/allocations/list-payments";
import type { ReadClaims } from "@/terms/claims/claim-tree";
import { formatUnits } from "@/terms/units";
import { claimTexts, type FileAllocation } from "./claim-text";

/** What New batch reads. A contract pays a reference once, and so each holder once for a snapshot. */
export async function* payCsv(allocation: FileAllocation, read: ReadClaims): AsyncGenerator<string> {
  const prefix = referencePrefix(allocation);
  yield "address,points,reference\n";
  yield* claimTexts(
    read,
    ({ amount }, address) =>
      `${address},${formatUnits(amount, allocation.decimals)},${prefix}:${address.toLowerCase()}\n`,
  );
}
