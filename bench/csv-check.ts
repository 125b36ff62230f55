import { batchLimits } from "@/server/kernel/batch-limits";
import { parseSettings } from "@/server/kernel/settings";
import { checkText } from "@/testing/check-text";
import { addressNumbered } from "./load/make-requests";
import { median, table } from "./measure";

const ROUNDS = 5;

/** Measures what the console's "New batch" does before sending: read, check and sum a file. */
export async function benchCsvCheck(): Promise<void> {
  const limits = batchLimits(parseSettings({}));
  const options = { contractAddress: `0x${"c0".repeat(20)}`, pointType: "PHASE2_POINTS" as const, limits };
  const rows: string[][] = [];
  for (const count of [2_000, 100_000]) {
    for (const [name, address] of [
      ["lower case", (at: number) => addressNumbered(at).toLowerCase()],
      ["EIP-55", addressNumbered],
    ] as const) {
      const text = `to_address,points\n${Array.from({ length: count }, (_, at) => `${address(at)},${at + 1}.25\n`).join("")}`;
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const start = performance.now();
        const { errors, rowCount } = checkText(text, options);
        if (errors.length > 0 || rowCount !== count) throw new Error("the file was not read correctly");
        times.push(performance.now() - start);
      }
      rows.push([count.toLocaleString("en"), name, median(times).toFixed(0)]);
    }
  }
  console.log(`\nA CSV file read and checked, ms: median of ${ROUNDS}.\n`);
  console.log(table(["rows", "addresses", "ms"], rows));
}
