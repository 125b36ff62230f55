import { formatUnits } from "@/terms/units";
import { claimTexts, type FileAllocation, type StoredClaims } from "./claim-text";

/**
 * One file for tools that read amounts in tokens. Sablier, Hedgey and disperse take the first amount,
 * thirdweb the column of its own name: of a drop `maxClaimable`, of an airdrop `quantity`, without which
 * everybody would get 1.
 */
export async function* humanCsv(
  { decimals }: FileAllocation,
  { read }: StoredClaims,
): AsyncGenerator<string> {
  yield "address,amount,quantity,maxClaimable\n";
  yield* claimTexts(read, ({ amount }, address) => {
    const tokens = formatUnits(amount, decimals);
    return `${address},${tokens},${tokens},${tokens}\n`;
  });
}
