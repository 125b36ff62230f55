import { formatUnits } from "@/terms/units";
import { claimTexts, type FileAllocation, type StoredClaims } from "./claim-text";

export const TOKENS_HEAD = "address,amount,quantity,maxClaimable";
export const tokensRow = (address: string, tokens: string) => `${address},${tokens},${tokens},${tokens}`;

/**
 * One file for tools that read amounts in tokens. Sablier, Hedgey and disperse take the first amount,
 * thirdweb the column of its own name: of a drop `maxClaimable`, of an airdrop `quantity`, without which
 * everybody would get 1.
 */
export async function* humanCsv(
  { decimals }: FileAllocation,
  { read }: StoredClaims,
): AsyncGenerator<string> {
  yield `${TOKENS_HEAD}\n`;
  yield* claimTexts(read, ({ amount }, address) => `${tokensRow(address, formatUnits(amount, decimals))}\n`);
}
