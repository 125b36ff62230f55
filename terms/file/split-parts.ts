/**
 * Puts each row, in the order of the list, into the first part that has room and does not pay its address:
 * a batch pays an address once. The same rows always become the same parts. Rows of one
 * address without references are not kept apart: the service refuses them.
 */
export function splitParts<Row extends { toAddress: string; reference?: string | null }>(
  rows: readonly Row[],
  transfersMax: number,
): Row[][] {
  const parts: Row[][] = [];
  /** By address, the part after the last one that pays it. */
  const nextPart = new Map<string, number>();
  let firstWithRoom = 0;
  for (const row of rows) {
    const key = row.toAddress.toLowerCase();
    let at = Math.max(firstWithRoom, (row.reference && nextPart.get(key)) || 0);
    while (parts[at]?.length === transfersMax) at++;
    nextPart.set(key, at + 1);
    const part = parts[at] ?? [];
    part.push(row);
    parts[at] = part;
    while (parts[firstWithRoom]?.length === transfersMax) firstWithRoom++;
  }
  return parts;
}
