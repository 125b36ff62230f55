import { csvLine } from "./batches/export/to-csv";

/** The columns of a CSV file, in order. Null is an empty cell. */
export type CsvColumns<Row> = readonly (readonly [
  name: string,
  cell: (row: Row) => string | null | undefined,
])[];

/** The header, then the rows of each page. */
export async function* csvText<Row>(
  columns: CsvColumns<Row>,
  pages: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  for await (const rows of pages)
    yield rows.map((row) => csvLine(columns.map(([, cell]) => cell(row) ?? ""))).join("");
}
