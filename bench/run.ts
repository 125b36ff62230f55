import { benchCsvCheck } from "./csv-check";
import { benchValidation } from "./validation";

const PARTS: Record<string, () => Promise<void>> = { validation: benchValidation, csv: benchCsvCheck };

const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
if (unknown) {
  console.error(`There is no part ${unknown}. Parts: ${Object.keys(PARTS).join(", ")}.`);
  process.exitCode = 1;
} else {
  for (const name of names.length > 0 ? names : Object.keys(PARTS)) await PARTS[name]!();
}
