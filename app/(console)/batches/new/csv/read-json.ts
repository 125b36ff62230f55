import { FileProblem, type Table, type TableRow } from "./decode-file";
import { looksLikeAddress } from "./map-columns";
import { readStoredNumber } from "./stored-number";

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
export function readJson(text: string): Table | null {
  let values: Value[];
  try {
    values = parse(text);
  } catch (error) {
    if (error !== NOT_JSON && !(error instanceof FileProblem)) throw error;
    if (error instanceof FileProblem && /^\s*[[{]\s*["{[\]}]/.test(text)) throw error;
    return null;
  }
  const notes: string[] = [];
  return { ...tableOf(values, notes), delimiter: null, emptyLines: 0, notes };
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
      notes.push(
        `Only “${list[0]}” is read. What you chose on this page applies instead of ${others.join(", ")}.`,
      );
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
