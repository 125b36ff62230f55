import { setImmediate as pause } from "node:timers/promises";
import { strToU8, Zip, ZipDeflate } from "fflate";
import { formatUnits } from "@/terms/units";
import { addressWriter, type FileAllocation, type StoredClaims } from "./claim-text";

/** It reads 501 lines, with the head. A line break at the end would count as one more. */
const ROWS_MAX = 500;
const HEAD = "token_type,token_address,receiver,amount";
const PART_DIGITS = 5;

/**
 * A zip of the files that Safe's airdrop app reads, and `parts.csv` with the sum of each. The token's address
 * is in every row: the app pays rows without one in the chain's native coin.
 */
export async function* safeParts(
  { decimals }: FileAllocation,
  { read }: StoredClaims,
  tokenAddress: string,
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
  let rows = [HEAD];
  let sum = 0n;
  const addPart = () => {
    const fileName = `part-${String(parts.length).padStart(PART_DIGITS, "0")}.csv`;
    add(fileName, rows.join("\n"));
    parts.push(`${fileName},${rows.length - 1},${formatUnits(sum, decimals)}`);
    rows = [HEAD];
    sum = 0n;
  };
  for await (const claims of read())
    for (const claim of claims) {
      rows.push(`erc20,${tokenAddress},${addressOf(claim)},${formatUnits(claim.amount, decimals)}`);
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
