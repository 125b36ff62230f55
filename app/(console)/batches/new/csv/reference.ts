import { nextBatchId } from "@/server/batches/change/next-batch-id";

/** As in `payout.001`. */
const PART_DIGITS = 3;
export const PARTS_MAX = 999;
const ID_CHARS_MAX = 64;

/** `part` is counted from 0. A single part uses the reference as it is. */
export function partId(reference: string, part: number, partCount: number): string {
  return partCount === 1 ? reference : `${reference}.${String(part + 1).padStart(PART_DIGITS, "0")}`;
}

/** File name and day, reduced to the characters that a batch ID may have. */
export function proposeReference(fileName: string, day: string): string {
  const name = fileName
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9._~-]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  const room = ID_CHARS_MAX - 1 - PART_DIGITS - 1 - day.length;
  return `${name.slice(0, room) || "batch"}-${day}`;
}

export function referenceError(reference: string, partCount: number): string | null {
  if (reference === "") return "Enter a reference.";
  if (!/^[A-Za-z0-9._:~-]+$/.test(reference)) return "Use only letters, digits and . _ : ~ -";
  if (/^\.{1,2}$/.test(reference)) return "Use more than dots.";
  const longest = longestReference(partCount);
  return reference.length > longest ? `Use up to ${longest} characters.` : null;
}

const longestReference = (partCount: number) => ID_CHARS_MAX - (partCount === 1 ? 0 : 1 + PART_DIGITS);

/** `payout`, `payout-2`, `payout-3`; truncated when too long. */
export const nextReference = (reference: string, partCount: number): string =>
  nextBatchId(reference, longestReference(partCount));
