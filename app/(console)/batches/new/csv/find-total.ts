import { looksLikeAddress } from "./map-columns";
import type { TableRow } from "./read-table";

/** The last row, when it is the sum of the others and not a transfer. */
export interface TotalRow {
  line: number;
  /** Its amount; null when it has none. */
  points: string | null;
  /** Exact sum of the amounts above it. */
  above: string;
}

const NAMES =
  /^(?:grand |sub)?total(?:s|e)?\b|^sum\b|^summe\b|^gesamt|^somme\b|^suma\b|^totaal\b|^soma\b|^итог|^всего|^合计|^总计|^合計/i;

/** "named" for a row called a total, "unnamed" for one with only an amount; null when it has an address. */
export function mayBeTotal(
  { cells }: TableRow,
  { toAddress, points }: { toAddress: number; points: number },
) {
  const address = cells[toAddress] ?? "";
  if (looksLikeAddress(address) || /^0x/i.test(address)) return null;
  if (cells.some((cell) => NAMES.test(cell))) return "named";
  return address === "" && cells.every((cell, column) => column === points || cell === "") ? "unnamed" : null;
}
