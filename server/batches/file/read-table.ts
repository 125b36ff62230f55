import {
  CELL_CHARS_MAX,
  cellText,
  FileProblem,
  requireRowsMax,
  type Table,
  type TableRow,
} from "./decode-file";
import { countTitles, looksLikeAddress } from "./map-columns";
import { readStoredNumber } from "./number-format";

const DELIMITERS = ["\t", ";", "|", ","];
const LIST = " ";
/** In a list, longer lines are not an address and an amount. */
const LIST_CHARS_MAX = 300;
const LINES_LOOKED_AT = 200;

/**
 * Reads CSV with quoted cells, any line endings and a byte-order mark; lists of an address and an amount per line; JSON.
 * @throws FileProblem
 */
export function readTable(given: string): Table {
  const text = given.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const table = (/^\s*[[{]/.test(text) ? readJson(text) : null) ?? readLines(text);
  requireRowsMax(table.rows);
  for (const row of table.rows)
    if (row.cells.some(({ length }) => length > CELL_CHARS_MAX)) row.cells = row.cells.map(cellText);
  return table;
}

function readLines(text: string): Table {
  // Excel's own way to name the separator.
  const named = /^\s*"?sep=([^\w\s"]|\t)"?[,;\t]*(?:\n|$)/i.exec(text);
  // The line stays, empty, so that line numbers are the file's own.
  const body = named ? text.slice(named[0].length) : text;
  const skipped = named ? named[0].split("\n").length - 1 : 0;
  const delimiter = named?.[1] ?? findDelimiter(body);
  const all = delimiter === LIST ? listRows(body) : splitRows(body, delimiter);
  const rows: TableRow[] = [];
  for (const { line, cells } of all) {
    while (cells.length > 1 && cells.at(-1) === "") cells.pop();
    if (cells.length > 1 || cells[0] !== "") rows.push({ line: line + skipped, cells });
  }
  const titleRows = countTitles(rows);
  rows.splice(0, titleRows);
  const [first] = rows;
  const firstLine = first ? (text.split("\n", first.line)[first.line - 1] ?? "") : "";
  const hasOtherCommas =
    delimiter === LIST
      ? first?.cells.some((cell) => cell.includes(","))
      : delimiter !== "," && outsideQuotes(firstLine).includes(",");
  return { rows, delimiter, titleRows, ...(hasOtherCommas && { hasOtherCommas }) };
}

const outsideQuotes = (line: string) => line.replaceAll(/"[^"]*"/g, "");

/** The one next to the addresses; without addresses, the most frequent one on the first line. */
function findDelimiter(text: string): string {
  const lines: string[] = [];
  for (let at = 0; at < text.length && lines.length < LINES_LOOKED_AT; ) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end === -1 ? undefined : end);
    if (line.trim() !== "") lines.push(line);
    at = end === -1 ? text.length : end + 1;
  }
  const first = outsideQuotes(lines[0] ?? "");
  const found = DELIMITERS.map((delimiter) => ({
    delimiter,
    score: lines.filter((line) => {
      const cells = line.split(delimiter).filter((cell) => cell.trim() !== "");
      return cells.length > 1 && cells.some((cell) => looksLikeAddress(cell));
    }).length,
    onFirst: first.split(delimiter).length - 1,
  })).toSorted((one, other) => other.score - one.score || other.onFirst - one.onFirst);
  const best = found[0]!;
  if (lines.filter(isListLine).length > best.score) return LIST;
  return best.score === 0 && best.onFirst === 0 ? "," : best.delimiter;
}

/** Each row of the text, also empty ones, with the line where it begins. */
function splitRows(text: string, delimiter: string): TableRow[] {
  const rows: TableRow[] = [];
  const next = new RegExp(`[\\${delimiter}\\n]`, "g");
  const skipSpaces = (from: number) => {
    let at = from;
    while (text[at] !== delimiter && text[at] !== "\n" && /\s/.test(text[at] ?? "")) at++;
    return at;
  };
  let line = 1;
  for (let at = 0; at < text.length; at++) {
    const row: TableRow = { line, cells: [] };
    for (; ; at++) {
      let end: number;
      // Hand-made files have a space before the quotation mark.
      const start = skipSpaces(at);
      if (text[start] === '"') {
        const mark = closingMark(text, start);
        end = skipSpaces(mark + 1);
        if (mark === -1 || (end < text.length && text[end] !== delimiter && text[end] !== "\n"))
          throw new FileProblem(
            `Line ${row.line}: unclosed quotation mark ("). Remove it, or double it inside a quoted cell.`,
          );
        const value = text.slice(start + 1, mark);
        const [, ...lines] = value.split("\n");
        if (
          lines.some((part) =>
            part.split(delimiter).some((cell, _, all) => all.length > 1 && looksLikeAddress(cell)),
          )
        )
          throw new FileProblem(
            `Line ${row.line}: a quotation mark (") is closed only after other rows. Remove it, or double it inside a quoted cell.`,
          );
        // Line breaks inside quoted cells push the following rows down.
        line += lines.length;
        row.cells.push(value.replaceAll('""', '"').trim());
      } else {
        next.lastIndex = at;
        end = next.exec(text)?.index ?? text.length;
        row.cells.push(text.slice(at, end).trim());
      }
      at = end;
      if (text[at] !== delimiter) break;
    }
    rows.push(row);
    line++;
  }
  return rows;
}

/** -1 when there is none. */
function closingMark(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

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
      return { line: at + 1, cells: cells.map((cell) => cell.trim()) };
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
  entries?: [key: string, value: Value][];
}

const TOKEN = /([{}[\],:])|"((?:[^"\\\n]|\\.)*)"|([^\s{}[\],:"]+)/y;
const DEPTH_MAX = 20;
const NOT_JSON = Symbol("not JSON");

/**
 * Reads lists of objects or pairs, an object of addresses and amounts, and bodies of the API. Amounts never become floats.
 * @returns null when the text only begins like JSON
 * @throws FileProblem
 */
function readJson(text: string): Table | null {
  let values: Value[];
  try {
    values = parse(text);
  } catch (error) {
    if (error !== NOT_JSON && !(error instanceof FileProblem)) throw error;
    if (error instanceof FileProblem && /^\s*[[{]\s*["{[\]}]/.test(text)) throw error;
    return null;
  }
  const notes: string[] = [];
  return { ...tableOf(values, notes), delimiter: null, notes };
}

function parse(text: string): Value[] {
  let at = 0;
  let line = 1;
  const skip = () => {
    for (; at < text.length && /\s/.test(text[at]!); at++) if (text[at] === "\n") line++;
  };
  const problem = () =>
    new FileProblem(`Line ${line}: this is not valid JSON. Fix it, or save the list as CSV.`);
  const token = () => {
    skip();
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) throw problem();
    at = TOKEN.lastIndex;
    return found;
  };
  const isNext = (sign: string) => {
    skip();
    if (text[at] !== sign) return false;
    at++;
    return true;
  };
  const textOf = (quoted: string): string => {
    try {
      return (JSON.parse(`"${quoted}"`) as string).trim();
    } catch {
      throw problem();
    }
  };
  const many = <T>(end: string, read: () => T): T[] => {
    const found: T[] = [];
    if (isNext(end)) return found;
    do found.push(read());
    while (isNext(","));
    if (!isNext(end)) throw problem();
    return found;
  };
  const value = (depth: number): Value => {
    skip();
    const begins = { line, text: "" };
    const [, sign, quoted, word] = token();
    if (quoted !== undefined) return { ...begins, text: textOf(quoted) };
    if (word !== undefined) {
      if (/^(?:true|false|null)$/.test(word)) return { ...begins, text: word === "null" ? "" : word };
      if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(word)) throw problem();
      return { ...begins, text: readStoredNumber(word, true)?.text ?? word, isNumber: true };
    }
    if (depth === DEPTH_MAX) throw problem();
    if (sign === "[") return { ...begins, items: many("]", () => value(depth + 1)) };
    if (sign !== "{") throw problem();
    const entries = many("}", (): [string, Value] => {
      const [, , key] = token();
      if (key === undefined || !isNext(":")) throw problem();
      return [textOf(key), value(depth + 1)];
    });
    return { ...begins, entries };
  };
  const values = [value(0)];
  // One object per line, as logs and exports write them.
  for (skip(); at < text.length; skip()) values.push(value(0));
  return values;
}

function tableOf(values: Value[], notes: string[]): Pick<Table, "rows" | "header"> {
  const only = values.length === 1 ? values[0]! : null;
  if (only?.items) return listTable(only.items);
  if (!only?.entries) return listTable(values);
  const lists = only.entries.filter(([, { items }]) => items);
  const list = lists.find(([key]) => key === "transfers") ?? (lists.length === 1 ? lists[0] : undefined);
  if (list) {
    const others = only.entries.filter((entry) => entry !== list).map(([key]) => key);
    if (others.length > 0)
      notes.push(`Only “${list[0]}” is read. What you chose applies instead of ${others.join(", ")}.`);
    return listTable(list[1].items ?? []);
  }
  if (!only.entries.some(([key]) => looksLikeAddress(key))) return listTable(values);
  const pairs = only.entries.map(([key, value]) =>
    value.entries
      ? {
          ...value,
          entries: [["address", { line: value.line, text: key }] as [string, Value], ...value.entries],
        }
      : { line: value.line, text: "", items: [{ line: value.line, text: key }, value] },
  );
  return listTable(pairs);
}

function listTable(items: readonly Value[]): Pick<Table, "rows" | "header"> {
  if (!items.some(({ entries }) => entries))
    return { rows: items.map((item) => rowOf(item.line, item.items ?? [item])) };
  const names = new Map<string, number>();
  for (const { entries = [] } of items)
    for (const [key] of entries) if (!names.has(key)) names.set(key, names.size);
  const rows = items.map(({ line, entries = [] }) => {
    const cells: Value[] = Array.from({ length: names.size }, () => ({ line, text: "" }));
    const isOwnBody = entries.some(([key]) => key === "toAddress");
    const seen = new Set<string>();
    for (const [key, value] of entries) {
      if (seen.has(key))
        throw new FileProblem(`Line ${value.line}: “${key}” is there twice. Remove one of them.`);
      seen.add(key);
      // The API's own amounts are texts with only one reading.
      cells[names.get(key)!] = isOwnBody && key === "points" ? { ...value, isNumber: true } : value;
    }
    return rowOf(line, cells);
  });
  return { rows: [{ line: items[0]!.line, cells: [...names.keys()] }, ...rows], header: true };
}

function rowOf(line: number, values: readonly Value[]): TableRow {
  const numbers = values.flatMap(({ isNumber }, column) => (isNumber ? [column] : []));
  const cells = values.map(({ text, items, entries }) => (items || entries ? "{…}" : text));
  return { line, cells, ...(numbers.length > 0 && { numbers }) };
}
