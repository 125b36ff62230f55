import { type CursorScope, fingerprint, parseBase36 } from "../../kernel/cursor";

/** The end of a page of a sorted list: the last batch's sort key and sequence number. */
export interface SortedPosition {
  /** The value sorted by: milliseconds, 10⁻¹² points or transfers. */
  key: bigint;
  seq: bigint;
  /**
   * The highest sequence number of the sorted batches, when only the latest ones were sorted. The next page leaves out newer
   * ones, so that it sorts the same batches. Otherwise 0.
   */
  top: bigint;
}

const FORMAT = /^2([0-9a-z]{1,60})\.([0-9a-z]{1,13})\.([0-9a-z]{1,13})\.([0-9a-z]{1,13})\.([0-9a-z]{1,13})$/;
const SEQ_MAX = 2n ** 63n - 1n;

/** Like the cursors of the API (`kernel/cursor.ts`), for a list in another order than by creation. */
export function encodeSorted({ key, seq, top }: SortedPosition, scope: CursorScope): string {
  const body = [key, seq, top].map((value) => value.toString(36)).join(".");
  const scoped = `${body}.${fingerprint(scope)}`;
  return `2${scoped}.${fingerprint(scoped)}`;
}

/** Returns `invalid` if the cursor was modified or its key exceeds `keyMax`, and `mismatch` if it is for a different list. */
export function decodeSorted(
  cursor: string,
  scope: CursorScope,
  keyMax: bigint,
): SortedPosition | "invalid" | "mismatch" {
  const parts = FORMAT.exec(cursor);
  if (!parts) return "invalid";
  const [, key = "", seq = "", top = "", scopePrint = "", check = ""] = parts;
  if (fingerprint([key, seq, top, scopePrint].join(".")) !== check) return "invalid";
  if (scopePrint !== fingerprint(scope)) return "mismatch";
  const position = { key: parseBase36(key), seq: parseBase36(seq), top: parseBase36(top) };
  const isValid = position.key <= keyMax && position.seq <= SEQ_MAX && position.top <= SEQ_MAX;
  return isValid ? position : "invalid";
}
