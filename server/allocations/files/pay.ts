import type { ReadClaims } from "@/terms/claims/claim-tree";
import { formatUnits } from "@/terms/units";
import { claimTexts, type FileAllocation } from "./claim-text";

const ID_DIGITS = 16;

/** What New batch reads. A contract pays a reference once, and so each holder once for a snapshot. */
export async function* payCsv(
  { snapshotId, decimals }: FileAllocation,
  read: ReadClaims,
): AsyncGenerator<string> {
  const snapshot = snapshotId.replaceAll("-", "").slice(0, ID_DIGITS);
  yield "address,points,reference\n";
  yield* claimTexts(
    read,
    ({ amount }, address) =>
      `${address},${formatUnits(amount, decimals)},${snapshot}:${address.toLowerCase()}\n`,
  );
}
