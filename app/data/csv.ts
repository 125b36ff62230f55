import { csvLine } from "@/terms/csv-text";
import { type Amount, movedOf } from "@/terms/moved";

/** Each column's heading, and its cell of a row. Null and undefined become empty cells. */
export type CsvColumns<Row> = Record<string, (row: Row) => string | null | undefined>;

type TextField<Row> = {
  [Name in keyof Row]: Row[Name] extends string | null | undefined ? Name : never;
}[keyof Row] &
  string;

/** Columns that show a field each, under its name: `createdAt` as `created_at`. */
export const csvFields = <Row>(...names: TextField<Row>[]): CsvColumns<Row> =>
  Object.fromEntries(
    names.map((name) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      (row: Row) => row[name] as string | null | undefined,
    ]),
  );

/** The last columns of every file of transfers or batches: when it was begun, and what to add up. */
export function countedColumns<Row>(amountOf: (row: Row) => Amount): CsvColumns<Row> {
  const exportedAt = new Date().toISOString();
  return { exported_at: () => exportedAt, counted: (row) => movedOf(amountOf(row)) };
}

/** @param cookies of the person, who chose between Excel and programs */
export async function* csvPages<Row>(
  columns: CsvColumns<Row>,
  pages: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>,
  cookies: string,
): AsyncGenerator<string, void, undefined> {
  const cells = Object.values(columns);
  const isPlain = csvChoice(cookies) === "plain";
  let headings = csvStart(cookies) + csvLine(Object.keys(columns));
  for await (const rows of pages) {
    yield headings +
      rows
        .map((row) =>
          csvLine(
            cells.map((cell) => cell(row) ?? ""),
            isPlain,
          ),
        )
        .join("");
    headings = "";
  }
  if (headings) yield headings;
}

/** A cookie, since most exports are made by the server. */
const CHOICE_COOKIE = "csv";
const PLAIN = new RegExp(`(?:^|;\\s*)${CHOICE_COOKIE}=plain(?:;|$)`);

type CsvChoice = "excel" | "plain";
export const csvChoice = (cookies: string): CsvChoice => (PLAIN.test(cookies) ? "plain" : "excel");
export function storeCsvChoice(choice: CsvChoice): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
  document.cookie = `${CHOICE_COOKIE}=${choice};path=/;max-age=31536000;samesite=lax`;
}

/** Without a byte-order mark, Excel on Windows opens a file by double-click in the system's old code page. */
export const csvStart = (cookies: string): string => (csvChoice(cookies) === "excel" ? "\uFEFF" : "");

const REVOKED_AFTER_MS = 1000;

export async function saveCsv(name: string, parts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const text: string[] = [];
  for await (const part of parts) text.push(part);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(text, { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKED_AFTER_MS);
}
