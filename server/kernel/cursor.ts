import { DomainError } from "./values/problems";

/** The end of a page: the last row's sort time (milliseconds) and sequence number. */
export type CursorPosition = { atMs: number; seq: bigint };

/** The list that a cursor belongs to, as one string: filters and sort, but not the page size. */
export type CursorScope = string;

/** The end of the year 9999. Postgres does not parse years with more digits. */
const CREATED_AT_MS_MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const FORMAT = /^1([0-9a-z]{1,11})\.([0-9a-z]{1,13})\.([0-9a-z]{1,13})\.([0-9a-z]{1,13})$/;

/** FNV-1a, 64 bits. It detects accidental edits but is no protection; access is checked on every request anyway. */
export function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++)
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  return hash.toString(36);
}

/** A cursor has only letters, digits and dots, so that it needs no URL encoding. */
export function encodeCursor(position: CursorPosition, scope: CursorScope): string {
  const place = `${position.atMs.toString(36)}.${position.seq.toString(36)}`;
  const body = `${place}.${fingerprint(scope)}`;
  return `1${body}.${fingerprint(body)}`;
}

/** Decodes a cursor. Returns `invalid` if it was modified, and `mismatch` if it was issued for a different list. */
export function decodeCursor(cursor: string, scope: CursorScope): CursorPosition | "invalid" | "mismatch" {
  const parts = FORMAT.exec(cursor);
  if (!parts) return "invalid";
  const [, time = "", seq = "", scopePrint = "", check = ""] = parts;
  if (fingerprint(`${time}.${seq}.${scopePrint}`) !== check) return "invalid";
  if (scopePrint !== fingerprint(scope)) return "mismatch";
  const atMs = Number.parseInt(time, 36);
  const sequence = parseBase36(seq);
  if (atMs > CREATED_AT_MS_MAX || sequence > 2n ** 63n - 1n) return "invalid";
  return { atMs, seq: sequence };
}

export const parseBase36 = (digits: string): bigint =>
  [...digits].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);

/** @param scope what the cursor was issued for, in words @throws DomainError `invalid_cursor`, `cursor_mismatch` */
export function validCursor<Position extends object>(
  position: Position | "invalid" | "mismatch",
  scope = "contract, filter or sort",
): Position {
  if (position === "invalid")
    throw new DomainError("invalid_cursor", "The cursor is truncated or was modified.");
  if (position === "mismatch")
    throw new DomainError("cursor_mismatch", `The cursor was issued for a different ${scope}.`);
  return position;
}

/** All pages of a list, one after the other. Every export reads through this, so that none ends while there is a cursor. */
export async function* allPages<Cursor, Page extends { cursor: Cursor | null }>(
  read: (cursor: Cursor | null) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let cursor: Cursor | null = null;
  do {
    const page: Page = await read(cursor);
    yield page;
    cursor = page.cursor;
  } while (cursor !== null);
}

export const SEARCHED_MAX = 20_000;
/** Max entries that one of its statements reads. */
const STEP_MAX = 5_000;
const STEP_GROWTH = 4;

interface Step<Row, Position> {
  rows: Row[];
  /** The number of entries that were read; less than asked for at the end of the index. */
  searched: number;
  edge: Position;
}

/**
 * Searches an index for rows that match, in growing steps, so that a page costs no more than `SEARCHED_MAX` entries.
 * `searchedTo` is where the search stopped there; null if it found enough rows or reached the end.
 */
export async function searchInSteps<Row, Position>(
  after: Position | null,
  rowsLeast: number,
  readStep: (after: Position | null, entriesMost: number) => Promise<Step<Row, Position>>,
): Promise<{ rows: Row[]; searchedTo: Position | null }> {
  const rows: Row[] = [];
  let edge = after;
  let searched = 0;
  for (let size = rowsLeast; searched < SEARCHED_MAX; size = Math.min(size * STEP_GROWTH, STEP_MAX)) {
    const step: Step<Row, Position> = await readStep(edge, size);
    rows.push(...step.rows);
    if (rows.length >= rowsLeast || step.searched < size) return { rows, searchedTo: null };
    edge = step.edge;
    searched += step.searched;
  }
  return { rows, searchedTo: edge };
}
