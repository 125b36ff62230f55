import { claimTexts, comma, type FileAllocation, type StoredClaims } from "./claim-text";

/** What Merkl's airdrop form reads: each address once, since it adds up what is there twice. */
export async function* merklRewards(
  { name }: FileAllocation,
  { read }: StoredClaims,
  tokenAddress: string,
): AsyncGenerator<string> {
  yield `{"rewardToken":"${tokenAddress}","rewards":{`;
  yield* claimTexts(
    read,
    (claim, address) => `${comma(claim)}"${address}":${JSON.stringify({ [name]: String(claim.amount) })}`,
  );
  yield "}}\n";
}
