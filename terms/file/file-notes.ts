import { counted } from "@/terms/output-text";
import type { Checked } from "./checked";
import type { CellFact, Table, TableRow } from "./decode-file";
import { bounded, listed } from "./file-words";
import { addressGrade, amountGrade, type Columns, type KnownMap, namesReference } from "./rank-columns";

type Known = Columns & { map: KnownMap };

/** What the user should know about how a file was read. */
export const fileNotes = (table: Table, columns: Known, rows: readonly TableRow[]): Checked["notes"] => [
  ...columnNotes(columns, table),
  ...tokenNotes(columns, rows),
  ...tableNotes(table, columns.map.points),
  ...baseUnitNotes(rows, columns.map.points, columns.names[columns.map.points]!),
  ...referenceNotes(columns, rows),
];

/** Which columns were read, and which others have addresses or numbers. */
function columnNotes({ header, names, map, found, total }: Known, table: Table): Checked["notes"] {
  const { toAddress, points, reference } = map;
  const isUnnamed = (column: number) => names[column] === `Column ${column + 1}`;
  const shown = (column: number) => (isUnnamed(column) ? `column ${column + 1}` : `“${names[column]}”`);
  const numbered = (column: number) =>
    isUnnamed(column) ? shown(column) : `${shown(column)} (column ${column + 1})`;
  const isOnlyName = names.filter((name) => name === names[toAddress]).length === 1;
  const unread = (of: readonly number[]) =>
    of.filter((column) => ![toAddress, points, reference].includes(column)).map(numbered);
  const [numbers, addresses] = [unread(found.numbers), unread(found.addresses)];
  const head = header && !table.header ? table.rows[0] : undefined;
  const isSaid = addressGrade(names[toAddress]!) > 1 || amountGrade(names[points]!) > 1;
  const readAs =
    `Addresses from ${isOnlyName ? shown(toAddress) : numbered(toAddress)}, ` +
    `amounts from ${numbered(points)}.`;
  const others = [
    total?.column === points &&
      `In every row, ${shown(points)} is the sum of ${bounded(total.parts.map(numbered))}.`,
    numbers.length > 0 && `Not read: the numbers in ${bounded(numbers)}.`,
    addresses.length > 0 && `Not read: the addresses in ${bounded(addresses)}.`,
    head && !isSaid && `Line ${head.line} is read as the heading, not as a transfer.`,
  ];
  return [readAs, ...others.filter((note) => typeof note === "string")];
}

const TOKEN_NAME =
  /(?:^|[^a-z])(?:tokens?|currency|asset|symbol|ticker|coin)(?:[ _-]?(?:address|symbol|name))?$/i;

/** Points have one type, so amounts of several tokens would be added up. */
function tokenNotes({ header, names, found, map }: Known, rows: readonly TableRow[]): string[] {
  const isTokens = (name: string, column: number) =>
    header && TOKEN_NAME.test(name) && !found.numbers.includes(column) && column !== map.toAddress;
  return names.flatMap((name, column) => {
    const tokens = isTokens(name, column)
      ? [...new Set(rows.map(({ cells }) => cells[column] || "none"))]
      : [];
    if (tokens.length < 2) return [];
    return [`“${name}” has several values, whose amounts are paid as one point type: ${listed(tokens)}.`];
  });
}

/** What follows the count of the amounts of each kind. */
const FACTS: Record<CellFact, [one: string, many: string, rest: (example: string) => string]> = {
  formula: ["amount is the result of a formula", "amounts are results of formulas", () => ", as last saved."],
  cleaned: [
    "amount is",
    "amounts are",
    (example) =>
      " stored with more than the 15 digits that a spreadsheet keeps, and read as shown there: " +
      `${example}.`,
  ],
  rounded: [
    "amount is",
    "amounts are",
    (example) => ` shown rounded in the spreadsheet, and read as stored: ${example}.`,
  ],
  otherwise: [
    "amount is",
    "amounts are",
    (example) => ` shown as something else in the spreadsheet, and read as stored: ${example}.`,
  ],
};

function tableNotes({ notes = [], titleRows = 0, facts }: Table, points: number): string[] {
  const title = `${counted(titleRows, "title row", "title rows")} above the table skipped.`;
  const found = Object.entries(FACTS).flatMap(([fact, [one, many, rest]]) => {
    const { count, example } = facts?.[points]?.[fact as CellFact] ?? { count: 0, example: "" };
    return count > 0 ? [counted(count, one, many) + rest(example)] : [];
  });
  return [...notes, ...(titleRows > 0 ? [title] : []), ...found];
}

/** A whole number of points in the units of a token with 6 decimals, or one that no payout reaches. */
const BASE_UNITS = /^\d+0{6}$|^\d{16,}$/;

/** Of most rows: a list in base units may have some dust. */
function baseUnitNotes(rows: readonly TableRow[], points: number, name: string): string[] {
  if (/\b(?:wei|gwei|raw|sats|satoshis|lamports)\b/i.test(name.replaceAll("_", " ")))
    return [`“${name}” says base units. If the amounts are, convert them to points first.`];
  const count = rows.filter(({ cells }) => BASE_UNITS.test(cells[points] ?? "")).length;
  if (count * 2 <= rows.length) return [];
  return [
    `${count === rows.length ? "Every amount is a whole number" : "Most amounts are whole numbers"} ` +
      "with many digits or zeros. If they are in base units, such as wei, convert them to points first.",
  ];
}

function referenceNotes({ header, names, map }: Known, rows: readonly TableRow[]): string[] {
  const at = map.reference ?? (header ? names.findIndex(namesReference) : -1);
  const count = rows.filter(({ cells }) => cells[at]).length;
  if (count === 0) return [];
  return [
    map.reference === null
      ? `The column “${names[at]}” is not sent, so it does not keep these rows from being paid again.`
      : `${counted(count, "row has a reference", "rows have references")}, which the contract pays once.`,
  ];
}
