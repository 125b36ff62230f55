import { addressKey } from "@/terms/address-text";

/**
 * Puts each row, in the order of the file, into the first part that has room and does not pay its address:
 * a batch pays an address once. The same rows always become the same parts.
 */
export function splitParts<Row extends { toAddress: string }>(
  rows: readonly Row[],
  transfersMax: number,
): Row[][] {
  const parts: Row[][] = [];
  /** By address, the part after the last one that pays it. */
  const nextPart = new Map<string, number>();
  let firstWithRoom = 0;
  for (const row of rows) {
    const key = addressKey(row.toAddress);
    let at = Math.max(firstWithRoom, nextPart.get(key) ?? 0);
    while (parts[at]?.length === transfersMax) at++;
    nextPart.set(key, at + 1);
    const part = parts[at] ?? [];
    part.push(row);
    parts[at] = part;
    while (parts[firstWithRoom]?.length === transfersMax) firstWithRoom++;
  }
  return parts;
}
