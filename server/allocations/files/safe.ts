import { setImmediate as pause } from "node:timers/promises";
import { strToU8, Zip, ZipDeflate } from "fflate";
import { formatUnits } from "@/terms/units";
import { addressWriter, type FileAllocation, type StoredClaims } from "./claim-text";
import { TOKENS_HEAD, tokensRow } from "./tokens";

/** Each part is one transaction: 500 transfers of a token with votes need more gas than EIP-7825 allows. */
export const ROWS_MAX = 400;
const PART_DIGITS = 5;

/**
 * What Safe's airdrop app reads. The token's address is in every row: the app pays rows without one in the
 * chain's native coin.
 */
export const safeParts = (allocation: FileAllocation, claims: StoredClaims, tokenAddress: string) =>
  partsOf(
    allocation,
    claims,
    "token_type,token_address,receiver,amount",
    (address, tokens) => `erc20,${tokenAddress},${address},${tokens}`,
  );

/** For tools that pay all rows of a file in one transaction. */
export const tokenParts = (allocation: FileAllocation, claims: StoredClaims) =>
  partsOf(allocation, claims, TOKENS_HEAD, tokensRow);

/** A zip of CSV files, and `parts.csv` with the sum of each. */
async function* partsOf(
  { decimals }: FileAllocation,
  { read }: StoredClaims,
  head: string,
  rowOf: (address: string, tokens: string) => string,
): AsyncGenerator<Uint8Array> {
  const addressOf = await addressWriter();
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const add = (fileName: string, text: string) => {
    const file = new ZipDeflate(fileName);
    zip.add(file);
    file.push(strToU8(text), true);
  };
  const parts = ["file,rows,tokens"];
  let rows = [head];
  let sum = 0n;
  const addPart = () => {
    const fileName = `part-${String(parts.length).padStart(PART_DIGITS, "0")}.csv`;
    // Safe's app would count a line break at the end as a row.
    add(fileName, rows.join("\n"));
    parts.push(`${fileName},${rows.length - 1},${formatUnits(sum, decimals)}`);
    rows = [head];
    sum = 0n;
  };
  for await (const claims of read())
    for (const claim of claims) {
      rows.push(rowOf(addressOf(claim), formatUnits(claim.amount, decimals)));
      sum += claim.amount;
      if (rows.length <= ROWS_MAX) continue;
      addPart();
      yield* chunks.splice(0);
      await pause();
    }
  if (rows.length > 1) addPart();
  add("parts.csv", `${parts.join("\n")}\n`);
  zip.end();
  yield* chunks;
}
