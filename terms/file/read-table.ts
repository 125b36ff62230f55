import { visit } from "jsonc-parser";
import { POINT_TYPES } from "@/terms/batch-terms";
import { counted, formatCount } from "@/terms/output-text";
import {
  CELL_CHARS_MAX,
  cellText,
  FileProblem,
  requireRowsMax,
  type Table,
  type TableRow,
} from "./decode-file";
import { listed, printable } from "./file-words";
import { readStoredNumber } from "./number-format";
import { readOwnFile } from "./own-files";
import { cellCountOf, countTitles, isNumber, isRecipient, looksLikeAddress, wordsOf } from "./rank-columns";

const DELIMITERS = ["\t", ";", "|", ","];
const LIST = " ";
/** Spaces between cells, of which texts are quoted and no amount has any. */
const SPACES = "  ";
/** In a list, longer lines are not an address and an amount. */
const LIST_CHARS_MAX = 300;
const LINES_LOOKED_AT = 200;

/** CSV with any line endings, an address and an amount per line, or JSON. @throws FileProblem */
export function readTable(given: string): Table {
  const text = given.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  if (ASSIGNED.test(text)) throw new FileProblem(`Line 1: ${SOURCE_CODE}`);
  const table = (/^\s*[[{]/.test(text) ? readJson(text) : null) ?? readLines(text);
  requireRowsMax(table.rows);
  for (const row of table.rows)
    if (row.cells.some(({ length }) => length > CELL_CHARS_MAX)) row.cells = row.cells.map(cellText);
  return readOwnFile(table);
}

function readLines(text: string): Table {
  // Excel's own way to name the separator. The line stays, empty, so that line numbers are the file's own.
  const [line = "", named] = /^\s*"?sep=([^\w\s"]|\t)"?[,;\t]*(?:\n|$)/i.exec(text) ?? [];
  const body = line.replaceAll(/[^\n]/g, "") + text.slice(line.length);
  const delimiter = named ?? findDelimiter(body);
  const all = delimiter === LIST ? listRows(body) : splitRows(body, delimiter === SPACES ? " " : delimiter);
  const filled: TableRow[] = [];
  for (const row of all) {
    const { cells } = row;
    const cellCount = cells.length;
    while (cells.length > 1 && cells.at(-1) === "") cells.pop();
    if ((cells.length === 1 && cells[0] === "") || isBorder(cells)) continue;
    if (cellCount > cells.length) row.cellCount = cellCount;
    filled.push(row);
  }
  const lineOf = ({ cells }: TableRow) => cells.filter(Boolean).join(delimiter);
  const rows = withoutComments(filled, lineOf);
  const isRow = new Set(rows);
  const comments = filled.filter((row) => !isRow.has(row)).map(lineOf);
  const titles = rows.splice(0, countTitles(rows)).map(lineOf);
  // A drawn table's edge, before its first column.
  if (delimiter === "|" && rows.every(({ cells }) => cells[0] === ""))
    for (const { cells } of rows) cells.shift();
  nameRowNames(rows, delimiter);
  if (delimiter === "," && hasDecimalCommas(rows))
    for (const { cells } of rows) cells.splice(1, 2, cells.slice(1).join(","));
  const rowCount = rows.filter(({ cells }, at) => at > 0 || cells.some(looksLikeAddress)).length;
  const isMore = (text: string) =>
    CUT.test(text) || Number((COUNTED.exec(text)?.[1] ?? "").replaceAll(/\D/g, "")) > rowCount;
  const doubts = [...titles, ...comments].filter(isMore).map((sign) => partDoubt(sign, rowCount));
  return { rows, delimiter: delimiter === SPACES ? null : delimiter, titles, comments, doubts };
}

const partDoubt = (sign: string, rowCount: number) =>
  `“${printable(sign)}” says that the file is not the whole list. ` +
  `Only its ${counted(rowCount, "row", "rows")} would be paid.`;

const ROWS = "(?:entries|records?|results?|rows?)\\b";
/** How many rows there are, as databases and tables on pages say. */
const COUNTED = new RegExp(`^\\W*(?:showing .*\\bof (?=\\d)|(?=[\\d,.]+ ${ROWS}))([\\d,.]+)`, "i");
/** As people and programs say that they left some out. */
const CUT = new RegExp(
  `\\d more\\b|\\bmore ${ROWS}|\\b(?:first|limited to) \\d[\\d,.]* ${ROWS}|` +
    `\\blimit reached|\\b(?:list|output|${ROWS}) (?:not shown|omitted|truncated)|\\bpage \\d+ of (?!1\\b)\\d`,
  "i",
);

/** A line between the rows of a drawn table. */
const isBorder = (cells: readonly string[]) =>
  cells.every((cell) => /^[-+|:=]*$/.test(cell)) && cells.some((cell) => /[-+=]{2}/.test(cell));

/** Nor what is said of the rows below them. The line above the first recipient may be a heading. */
function withoutComments(rows: TableRow[], lineOf: (row: TableRow) => string): TableRow[] {
  const isMarked = ({ cells }: TableRow) => /^(?:#|\/\/)/.test(cells[0]!);
  const hasAddress = ({ cells }: TableRow) =>
    cells.some((cell) => looksLikeAddress(cell.replace(/^[#/\s]+/, "")));
  // Where each row is marked, the mark is part of a name or a number.
  if (!rows.some((row) => hasAddress(row) && !isMarked(row))) return rows;
  const lines = rows.filter((row) => !isMarked(row) || !hasAddress(row));
  const first = lines.findIndex(hasAddress);
  const isComment = (row: TableRow, at: number) =>
    isMarked(row)
      ? at !== first - 1 || row.cells.length === 1
      : at > first && !hasAddress(row) && [COUNTED, CUT, /^time: /i].some((of) => of.test(lineOf(row)));
  return lines.filter((row, at) => !isComment(row, at));
}

/**
 * R writes rows' names with no heading above them: running numbers, or texts in quotation marks.
 * @throws FileProblem for other names, beside which each column would be read as another one
 */
function nameRowNames([head, ...rows]: readonly TableRow[], delimiter: string): void {
  if (!head || rows.length === 0 || head.cells.some(looksLikeAddress)) return;
  if (rows.some((row) => cellCountOf(row) !== cellCountOf(head) + 1)) return;
  const isMarked = delimiter === "\t" || rows.every(({ quoted }) => quoted?.includes(0));
  const isCounted = rows.every(({ cells }, at) => cells[0] === String(at + 1));
  // Of commas, one more may also be a part of the amount.
  const isName = (cell: string, at: number) =>
    !looksLikeAddress(cell) && (delimiter !== "," || !isNumber(cell) || cell === String(at + 1));
  if (delimiter === SPACES || (isCounted && isMarked)) head.cells.unshift("");
  else if (rows.every(({ cells }, at) => isName(cells[0]!, at)))
    throw new FileProblem(
      "The heading has one name fewer than the rows have cells, as R's write.table does. " +
        "Add a name for the first column, or use write.csv.",
    );
}

/**
 * Whether the comma of a list also marks its decimals: `0x…,12,50`. The digits after it are no column of
 * numbers if some are like `05`, or if a line has none, and no comma for them either. They are not all the
 * same, as a month or a kind would be.
 */
function hasDecimalCommas(rows: readonly TableRow[]): boolean {
  const decimals = new Set<string | undefined>();
  for (const { cells, quoted, cellCount } of rows) {
    const [address = "", ...parts] = cells;
    if (!looksLikeAddress(address) || quoted || cellCount !== undefined) return false;
    if (parts.length > 2 || parts.some((part) => !/^\d+$/.test(part)) || !parts[0]) return false;
    decimals.add(parts[1]);
  }
  // Three digits after a comma may be thousands.
  const hasPair = [...decimals].some((digits) => digits && digits.length < 3);
  const isNoColumn = [...decimals].some((digits) => digits === undefined || /^0\d$/.test(digits));
  return decimals.size > 1 && hasPair && isNoColumn;
}

/** The one next to the addresses; without addresses, the most frequent one on the first line. */
function findDelimiter(text: string): string {
  const lines: string[] = [];
  for (const [line] of text.matchAll(/[^\n]+/g)) {
    if (line.trim() !== "") lines.push(line);
    if (lines.length === LINES_LOOKED_AT) break;
  }
  const first = (lines[0] ?? "").replaceAll(/"[^"]*"/g, "");
  const found = DELIMITERS.map((delimiter) => ({
    delimiter,
    score: lines.filter((line) => {
      const cells = line.split(delimiter);
      return cells.length > 1 && cells.some(looksLikeAddress);
    }).length,
    onFirst: first.split(delimiter).length - 1,
  })).toSorted((one, other) => other.score - one.score || other.onFirst - one.onFirst);
  const best = found[0]!;
  const listLines = lines.filter(isListLine).length;
  if (listLines > best.score) return LIST;
  if (best.score === 0 && lines.length > 1 && lines.every(isSpaced)) return SPACES;
  return best.score === 0 && best.onFirst === 0 ? "," : best.delimiter;
}

const SPACED_CELL = `(?:"[^"]*"|[^\\s"]+)`;
const SPACED_LINE = new RegExp(`^${SPACED_CELL}(?: ${SPACED_CELL})+$`);
/** A line as R's `write.table` writes it, below a heading. */
const isSpaced = (line: string, at: number) =>
  line.length <= LIST_CHARS_MAX &&
  SPACED_LINE.test(line) &&
  (at === 0 || line.split(" ").some(looksLikeAddress));

/** Of doubled quotation marks in a cell, for which the expression remembers where each begins. */
const MARKS_MAX = 100_000;

/** Each row of the text, also empty ones, with the line where it begins. */
function splitRows(text: string, delimiter: string): TableRow[] {
  const rows: TableRow[] = [];
  // Hand-made files have spaces around quotation marks.
  const space = `[^\\S\\n\\${delimiter}]*`;
  const quoted = `${space}"([^"]*(?:""[^"]*){0,${MARKS_MAX}})"${space}(?=[\\${delimiter}\\n]|$)`;
  const next = new RegExp(`${quoted}|[^\\${delimiter}\\n]*`, "y");
  let line = 1;
  for (let at = 0; at < text.length; at++) {
    const row: TableRow = { line, cells: [] };
    for (; ; at++) {
      next.lastIndex = at;
      const [whole, value] = next.exec(text)!;
      if (value === undefined) {
        const cell = whole.trim();
        if (cell.startsWith('"')) throw markProblem(row, 'unclosed quotation mark (").');
        row.cells.push(textOf(cell));
      } else {
        const [, ...lines] = value.split("\n");
        const isRow = (part: string) =>
          part.includes(delimiter) && part.split(delimiter).some(looksLikeAddress);
        if (lines.some(isRow))
          throw markProblem(row, 'a quotation mark (") is closed only after other rows.');
        // Line breaks inside quoted cells push the following rows down.
        line += lines.length;
        if (isNumber(value)) row.quoted = [...(row.quoted ?? []), row.cells.length];
        row.cells.push(textOf(value.replaceAll('""', '"').trim()));
      }
      at += whole.length;
      if (text[at] !== delimiter) break;
    }
    rows.push(row);
    line++;
  }
  return rows;
}

const markProblem = ({ line }: TableRow, what: string) =>
  new FileProblem(`Line ${line}: ${what} Remove it, or double it inside a quoted cell.`);

/** Some programs write a text as the formula `="0x…"`, so that spreadsheets do not change it. */
const textOf = (cell: string) =>
  cell.startsWith('="') ? (TEXT_FORMULA.exec(cell)?.[1]?.replaceAll('""', '"').trim() ?? cell) : cell;
const TEXT_FORMULA = /^="((?:[^"]|""){0,1000})"$/;

const ADDRESS = "[^\\s=;,|]*?(?:0x|xdc)?[0-9a-f]{40}(?![0-9a-f])[^\\s=:;,|]*";
const SIGN = "\\s*(?:[-=]?>|→|[=:;,|\\t])\\s*|\\s+";
const ADDRESS_FIRST = new RegExp(`^\\s*(${ADDRESS})(${SIGN})(\\S.*)$`, "i");
const AMOUNT_FIRST = new RegExp(`^\\s*(\\S.*?)(${SIGN})(${ADDRESS})\\s*$`, "i");
const OTHER = new RegExp(`^\\s*(\\S+?)(${SIGN})(\\S.*)$`);

const isListLine = (line: string) =>
  line.length <= LIST_CHARS_MAX && (ADDRESS_FIRST.test(line) || AMOUNT_FIRST.test(line));

/** Lines as tools that disperse points take them: `0x… 1.5`, `0x…=1.5`, `0x…: 1.5`. */
const listRows = (text: string): TableRow[] =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line, at) => {
      const short = line.length <= LIST_CHARS_MAX ? line : "";
      const [, one, sign = "", two] =
        ADDRESS_FIRST.exec(short) ?? AMOUNT_FIRST.exec(short) ?? OTHER.exec(line) ?? [];
      const cells =
        one === undefined || two === undefined ? [line] : [...parts(one, sign), ...parts(two, sign)];
      return { line: at + 1, cells: cells.map((cell) => cell.trim().replace(/^"([^"]*)"$/, "$1")) };
    });

/** Where spaces separate, `1 500` can be one amount or two cells. */
const parts = (cell: string, sign: string) =>
  sign.trim() === "" && /^\d[\d.,]*(?:\s+\d[\d.,]*)+\s*$/.test(cell) ? cell.trim().split(/\s+/) : [cell];

interface Value {
  line: number;
  /** Of a text or a word; a number's exact text without an exponent. */
  text: string;
  isNumber?: boolean;
  /** Of a list. */
  items?: Value[];
  /** Of an object, also keys that are there twice. */
  entries?: Entry[];
}
type Entry = [key: string, value: Value];

const DEPTH_MAX = 20;
const SOURCE_CODE =
  "this is source code, not JSON. Write it with JSON.stringify or json.dumps, or save the list as CSV.";
const ASSIGNED =
  /^\s*(?:export\s+default\s*|(?:export\s+)?(?:(?:const|let|var)\s+)?[\w.$]+(?:\s*:[^=\n]*)?\s*=\s*)[[{]/;

/** Amounts never become floats. @returns null when the text only begins like JSON @throws FileProblem */
function readJson(text: string): Table | null {
  let values: Value[];
  try {
    values = parse(text);
  } catch (error) {
    if (!(error instanceof FileProblem) || /^\s*[[{]\s*(?:["'{[\]}]|[\w$]+\s*:)/.test(text)) throw error;
    return null;
  }
  const notes: string[] = [];
  const table = tableOf(values, notes);
  const rows = table.rows.slice(table.header ? 1 : 0);
  if (rows.some(({ line }, at) => line === rows[at - 1]?.line)) {
    for (const [at, row] of rows.entries()) row.line = at + 1;
    notes.push("Several rows are on one line, so line numbers count the rows from 1.");
  }
  return { ...table, delimiter: null, isExact: true, notes };
}

/** Several values are one object per line, as logs and exports write them. */
function parse(text: string): Value[] {
  const list = `[${text}]`;
  const values: Value[] = [];
  const open: Value[] = [{ line: 1, text: "", items: values }];
  let key = "";
  const add = (value: Value) => {
    const { items, entries } = open.at(-1)!;
    items?.push(value);
    entries?.push([key, value]);
  };
  const refuse = (line: number, why: string) => {
    throw new FileProblem(`Line ${line + 1}: ${why}`);
  };
  const begin = (line: number, inside: Pick<Value, "items" | "entries">) => {
    if (open.length > DEPTH_MAX) refuse(line, "this has too many brackets inside one another.");
    const value = { line: line + 1, text: "", ...inside };
    add(value);
    open.push(value);
  };
  const end = () => void open.pop();
  visit(
    list,
    {
      onObjectBegin: (_, __, line) => begin(line, { entries: [] }),
      onArrayBegin: (at, _, line) => {
        if (at > 0) begin(line, { items: [] });
      },
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (name) => {
        key = name.trim();
      },
      onLiteralValue: (value: unknown, at, length, line) => {
        const isNumber = typeof value === "number";
        const written = isNumber ? list.slice(at, at + length) : String(value ?? "").trim();
        const text = isNumber ? (readStoredNumber(written, true)?.text ?? written) : written;
        add({ line: line + 1, text, ...(isNumber && { isNumber }) });
      },
      onError: (_, at, length, line) => {
        if (open.length === 1 && /[[{]/.test(list[at]!)) return;
        if (/^0x/i.test(list.slice(at - 1, at + 1)))
          refuse(line, "put quotation marks around 0x and its digits.");
        const isCode = /^'|^[\w$]+\s*:/.test(list.slice(at, at + length + 10));
        const isClosing = /[\]}]/.test(list[at]!) && at < list.length - 1;
        const isLast = isClosing && list.slice(0, at).trimEnd().endsWith(",");
        if (isCode) refuse(line, SOURCE_CODE);
        if (isLast) refuse(line, "JSON has no comma before a closing bracket. Remove it.");
        refuse(line, "this is not valid JSON. Fix it, or save the list as CSV.");
      },
    },
    { disallowComments: true },
  );
  return values;
}

/** A list of rows, and the keys that lead to it. */
interface Found {
  path: string[];
  rows: readonly Value[];
  /** Keys of lists that are read side by side. */
  keys?: string[];
}

function tableOf(values: Value[], notes: string[]): Pick<Table, "rows" | "header" | "doubts"> {
  const [root, ...more] = values as [Value, ...Value[]];
  if (more.length > 0) return listTable(values);
  const { entries = [] } = root;
  const lists = entries.flatMap(([key, { items }]) => (items ? [{ path: [key], rows: items }] : []));
  const recipients = [...recipientsIn(root, [])];
  const [found, ...others]: Found[] = recipients.length > 0 || lists.length > 1 ? recipients : lists;
  if (!found) return listTable(root.items ?? values);
  const paths = [found, ...others].map(({ path }) => path.join("."));
  if (others.length > 0)
    throw new FileProblem(
      `The file has several lists of recipients: ${listed(paths)}. Save the one to pay as a file of its own.`,
    );
  const read = found.path.length > 0 ? found.path.slice(0, 1) : found.keys;
  // The API's own body says the type of all its rows.
  const isType = ([, { text }]: Entry) => POINT_TYPES.some((type) => type === text);
  const hasNoType = ({ entries: own }: Value) => own && !own.some(isType);
  const type = found.rows.every(hasNoType) ? entries.find(isType) : undefined;
  const rest = entries.map(([key]) => key).filter((key) => read && ![...read, type?.[0]].includes(key));
  if (found.path.length > 1 || rest.length > 0) {
    const ignored = rest.length > 0 ? ` Ignored: ${listed(rest)}.` : "";
    notes.push(`Only “${listed(found.path.length > 0 ? paths : read!)}” is read.${ignored}`);
  }
  const rows = found.rows.map((row) =>
    row.entries && type ? { ...row, entries: [...row.entries, type] } : row,
  );
  const [sign] = signsOfMore(root, rows.length);
  return { ...listTable(rows), doubts: sign === undefined ? [] : [partDoubt(sign, rows.length)] };
}

// What an answer in pages says, as the words of a key and its value.

const MORE =
  /^(?:exceeded transfer limit|has (?:more|next).*|(?:is )?truncated): true$|^(?:is )?last(?: page)?: false$/;
const LAST = /^has (?:more|next).*: false$|^(?:is )?last(?: page)?: true$/;
/** Airtable's offset is a text. */
const NEXT = new RegExp(
  "^(?:continuation(?: token)?|cursor|last evaluated key|offset(?=: \\D)|page (?:key|token)|" +
    "(?:odata )?next(?: (?:cursor|key|link|offset|page(?: (?:key|params|token))?|token|ur[il]))?): ",
);
const PAGE = /^(?:limit|offset|page(?: (?:index|number|size))?|per page|relation|size|skip|total pages): /;
const PAGES = /^(?:last page|num pages|page count|pages|total pages): \d+$/;
/** Of an answer that is in no pages, a total may be of something else. */
const ALL = /^total (?:count|elements|records|results|row count|rows): \d+$/;
const ALL_OF_PAGES = new RegExp(`${ALL.source}|^(?:count|total(?: (?:holders|items))?|value): \\d+$`);
/** An object with more of them is a list of recipients. */
const ANSWER_KEYS_MAX = 50;

const isFilled = ({ text, entries }: Value): boolean =>
  entries?.some(([, of]) => isFilled(of)) ?? !/^(?:|null|false|0)$/.test(text);

/** The keys by which an answer says that there are more rows. */
function* signsOfMore({ entries = [] }: Value, rowCount: number): Generator<string> {
  if (entries.length > ANSWER_KEYS_MAX) return;
  const said = entries.map(([key, { text }]) => `${wordsOf(key)}: ${text}`);
  const isPaged = said.some((text) => PAGE.test(text));
  // It may give its own cursor.
  const isLast = said.some((text) => LAST.test(text));
  const countIn = (text: string, of: RegExp) => (of.test(text) ? Number(text.split(": ")[1]) : 0);
  const isWhole = said.some((text) => countIn(text, ALL) === rowCount);
  for (const [at, [key, value]] of entries.entries()) {
    const text = said[at]!;
    const isMore =
      MORE.test(text) ||
      (NEXT.test(text) && !isLast && isFilled(value)) ||
      (countIn(text, PAGES) > 1 && !isWhole) ||
      countIn(text, isPaged ? ALL_OF_PAGES : ALL) > rowCount;
    if (isMore) yield key;
    else yield* signsOfMore(value, rowCount);
  }
}

const hasRecipient = ({ text, items = [], entries = [] }: Value): boolean =>
  isRecipient(text) || items.some(hasRecipient) || entries.some(([, value]) => hasRecipient(value));
const hasRecipientKey = ({ entries = [] }: Value) => entries.some(([key]) => isRecipient(key));
const hasRecipients = ({ items = [] }: Value) => items.filter(hasRecipient).length > 1;
const isScalar = ({ items, entries }: Value) => !items && !entries;

function* recipientsIn(value: Value, path: string[]): Generator<Found> {
  const { items, entries = [] } = value;
  const beside = sideBySide(value);
  if (beside) yield { path, ...beside };
  else if (items?.some((item) => !isScalar(item) && hasRecipient(item))) yield { path, rows: items };
  else if (hasRecipientKey(value)) yield { path, rows: rowsBelow(value, []) };
  else if (isNamedRows(entries)) yield { path, rows: entries.map(([, row]) => row) };
  else for (const [key, inner] of entries) yield* recipientsIn(inner, [...path, key]);
}

/** `{"alice": {"wallet": "0x…", "points": 5}, "bob": …}` */
const isNamedRows = (entries: Entry[]) =>
  entries.length > 1 && entries.every(([, row]) => row.entries?.some(([, { text }]) => isRecipient(text)));

/** Rows of what is below addresses: amounts, objects, lists of rows, or such by other addresses. */
function rowsBelow({ entries = [] }: Value, keys: readonly Value[]): Value[] {
  return entries.flatMap(([text, value]): Value[] => {
    const path = [...keys, { line: value.line, text }];
    if (hasRecipientKey(value)) return rowsBelow(value, path);
    const isList = value.items?.some(({ entries }) => entries);
    // A row may say its own address once more, or another one.
    const own = value.entries?.find(([key]) => key === "address")?.[1].text;
    const isSame = own?.toLowerCase() === text.toLowerCase();
    const nameOf = (at: number) =>
      isList || path.length > 1 ? `key ${at + 1}` : own === undefined ? "address" : "address (key)";
    const named = path.map((key, at): Entry => [nameOf(at), key]);
    return (isList ? value.items! : [value]).map(({ line, entries, ...row }) =>
      entries || isList
        ? { line, text: "", entries: [...(isSame ? named.slice(0, -1) : named), ...(entries ?? [])] }
        : { line, text: "", items: [...path, { line, ...row }] },
    );
  });
}

/** `{"addresses": […], "amounts": […]}` as rows. @throws FileProblem when one is longer than the other */
function sideBySide({ items, entries }: Value): (Pick<Found, "rows"> & { keys: string[] }) | null {
  const named = entries ?? items?.map((item, at): Entry => [`List ${at + 1}`, item]) ?? [];
  const lists = named.flatMap(([key, { items }]) => (items?.every(isScalar) ? [{ key, values: items }] : []));
  const hasMost = (isRight: (text: string) => boolean) =>
    lists.find(({ values }) => {
      const filled = values.filter(({ text }) => text !== "");
      return filled.filter(({ text }) => isRight(text)).length * 2 > filled.length;
    });
  const addresses = hasMost(isRecipient);
  const amounts = hasMost(isNumber);
  if (!addresses || !amounts) return null;
  const [count, other] = [addresses.values.length, amounts.values.length];
  if (count !== other)
    throw new FileProblem(
      `“${printable(addresses.key)}” has ${counted(count, "value", "values")}, ` +
        `but “${printable(amounts.key)}” has ${formatCount(other)}. Each address needs an amount.`,
    );
  const beside = lists.filter(({ values }) => values.length === count);
  const rows = addresses.values.map(({ line }, at): Value => {
    const entries = beside.map(({ key, values }): Entry => [key, values[at]!]);
    return { line, text: "", entries };
  });
  return { rows, keys: beside.map(({ key }) => key) };
}

const KEYS_MAX = 500;

function listTable(items: readonly Value[]): Pick<Table, "rows" | "header"> {
  if (!items.some(({ entries }) => entries))
    return { rows: items.map((item) => rowOf(item.line, item.items ?? [item])) };
  const own = items.map(({ entries = [] }) => entries);
  const entries = own.map((of) => (of.every(([, value]) => isScalar(value)) ? of : of.flatMap(flattened)));
  const names = [...new Set(entries.flatMap((row) => row.map(([key]) => key)))];
  // A row that has a recipient of its own may hold amounts by token.
  const others = own.filter((of) => names.length > KEYS_MAX || !of.some(([, { text }]) => isRecipient(text)));
  const key = others.flat().find(([, value]) => hasRecipientKey(value) || hasRecipients(value))?.[0];
  if (key !== undefined)
    throw new FileProblem(
      `Each row has recipients of its own below “${printable(key)}”. Save those to pay as a separate file.`,
    );
  if (names.length === 0) throw new FileProblem("The rows have no values.");
  if (names.length > KEYS_MAX)
    throw new FileProblem(`The rows have over ${KEYS_MAX} keys. Name address and amount alike in each row.`);
  const rows = entries.map((of, row) => {
    const { line } = items[row]!;
    const values = new Map(of);
    const twice = of.find(([key, value]) => values.get(key) !== value)?.[0];
    if (twice !== undefined)
      throw new FileProblem(
        `Line ${values.get(twice)!.line}: “${printable(twice)}” is there twice. Remove one of them.`,
      );
    const cells = names.map((name) => values.get(name) ?? { line, text: "" });
    return rowOf(line, cells);
  });
  return { rows: [{ line: 0, cells: names }, ...rows], header: true };
}

/** What is below a key. Of lists, only those with an address or a number: a proof has neither. */
function flattened([key, value]: Entry): Entry[] {
  const { items, entries } = value;
  if (entries) return entries.flatMap(([inner, of]) => flattened([`${key}.${inner}`, of]));
  if (!items?.some((item) => !isScalar(item) || isRecipient(item.text) || isNumber(item.text)))
    return [[key, value]];
  return items.flatMap((item, at) => flattened([`${key} ${at + 1}`, item]));
}

function rowOf(line: number, values: readonly Value[]): TableRow {
  const numbers = values.flatMap(({ isNumber }, column) => (isNumber ? [column] : []));
  const cells = values.map(({ text, items, entries }) => (items || entries ? "{…}" : text));
  return { line, cells, ...(numbers.length > 0 && { numbers }) };
}
