/** Digits of a part's number: `payout.001`. */
const PART_DIGITS = 3;
export const PARTS_MAX = 999;
const ID_CHARS_MAX = 64;

/** The id of a part, counted from 0; a batch of one part has the reference itself. */
export function partId(reference: string, part: number, partCount: number): string {
  return partCount === 1 ? reference : `${reference}.${String(part + 1).padStart(PART_DIGITS, "0")}`;
}

/** A reference from the file's name and the day, of the characters that an id may have. */
export function proposeReference(fileName: string, day: string): string {
  const name = fileName
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9._~-]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  const room = ID_CHARS_MAX - 1 - PART_DIGITS - 1 - day.length;
  return `${name.slice(0, room) || "batch"}-${day}`;
}

/** What is wrong with a reference in words, or null. */
export function referenceFault(reference: string, partCount: number): string | null {
  if (reference === "") return "Write a reference.";
  if (!/^[A-Za-z0-9._:~-]+$/.test(reference)) return "Use A-Z a-z 0-9 . _ : ~ - only.";
  const longest = longestReference(partCount);
  return reference.length > longest ? `At most ${longest} characters.` : null;
}

const longestReference = (partCount: number) => ID_CHARS_MAX - (partCount === 1 ? 0 : 1 + PART_DIGITS);

/** Another reference for the same file: `payout`, `payout-2`, `payout-3`; one that is too long for that is cut. */
export function nextReference(reference: string, partCount: number): string {
  const [, base = reference, number] = /^(.*?)(?:-(\d{1,2}))?$/.exec(reference) ?? [];
  const isDay = /\d{4}-\d{2}$/.test(base);
  const isFirst = number === undefined || isDay;
  const end = isFirst ? "-2" : `-${Number(number) + 1}`;
  return (isFirst ? reference : base).slice(0, longestReference(partCount) - end.length) + end;
}
