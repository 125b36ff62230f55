/**
 * Puts each row, in the order of the list, into the first part that has room and does not pay its address:
 * a batch pays an address once. The same rows always become the same parts.
 * @param isOnce whether a part must not pay the row's address again; otherwise the service refuses it
 */
export function splitParts<Row extends { toAddress: string }>(
  rows: readonly Row[],
  transfersMax: number,
  isOnce: (row: Row) => boolean = () => true,
): Row[][] {
  const parts: Row[][] = [];
  /** By address, the part after the last one that pays it. */
  const nextPart = new Map<string, number>();
  let firstWithRoom = 0;
  for (const row of rows) {
    const key = row.toAddress.toLowerCase();
    let at = Math.max(firstWithRoom, (isOnce(row) && nextPart.get(key)) || 0);
    while (parts[at]?.length === transfersMax) at++;
    nextPart.set(key, at + 1);
    const part = parts[at] ?? [];
    part.push(row);
    parts[at] = part;
    while (parts[firstWithRoom]?.length === transfersMax) firstWithRoom++;
  }
  return parts;
}
