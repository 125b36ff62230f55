import { LATEST_MS } from "@/terms/fields";
import { DomainError } from "@/terms/problems";

export type CursorPosition = { atMs: number; seq: bigint };

/** The list that a cursor belongs to, as one string: filters and sort, but not the page size. */
export type CursorScope = string;

/** FNV-1a, 64 bits. Detects accidental edits but protects nothing; access is checked on every request. */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++)
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  return hash.toString(36);
}

/** A cursor has only letters, digits and dots, so that it needs no URL encoding. */
export function encodeNumbers(numbers: readonly bigint[], scope: CursorScope): string {
  const body = [...numbers.map((number) => number.toString(36)), fingerprint(scope)].join(".");
  return `${numbers.length - 1}${body}.${fingerprint(body)}`;
}

const DIGITS = /^[0-9a-z]{1,60}$/;

const invalidCursor = () => new DomainError("invalid_cursor", "The cursor is truncated or was modified.");

/** `of` names in words what it was issued for. @throws DomainError `invalid_cursor`, `cursor_mismatch` */
export function decodeNumbers<const Maxima extends readonly bigint[]>(
  cursor: string,
  scope: CursorScope,
  maxima: Maxima,
  of = "contract, filter or sort",
): { [At in keyof Maxima]: bigint } {
  const parts = cursor.slice(1).split(".");
  const isWhole = cursor.startsWith(String(maxima.length - 1)) && parts.length === maxima.length + 2;
  if (!isWhole || !parts.every((part) => DIGITS.test(part))) throw invalidCursor();
  const check = parts.pop();
  if (fingerprint(parts.join(".")) !== check) throw invalidCursor();
  if (parts.pop() !== fingerprint(scope))
    throw new DomainError("cursor_mismatch", `The cursor was issued for a different ${of}.`);
  const numbers = parts.map(parseBase36);
  if (numbers.some((number, at) => number > maxima[at]!)) throw invalidCursor();
  // One for each maximum: `isWhole`.
  return numbers as { [At in keyof Maxima]: bigint };
}

export const SEQ_MAX = 2n ** 63n - 1n;

export const encodeCursor = ({ atMs, seq }: CursorPosition, scope: CursorScope): string =>
  encodeNumbers([BigInt(atMs), seq], scope);

export function decodeCursor(cursor: string, scope: CursorScope, of?: string): CursorPosition {
  const [atMs, seq] = decodeNumbers(cursor, scope, [BigInt(LATEST_MS), SEQ_MAX], of);
  return { atMs: Number(atMs), seq };
}

const parseBase36 = (digits: string): bigint =>
  [...digits].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);

/** Every export reads all pages through this, so that none ends while there is a cursor. */
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
