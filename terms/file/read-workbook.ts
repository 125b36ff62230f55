import { strFromU8, type UnzipFileFilter, unzipSync } from "fflate";
import { Parser } from "saxen";
import { counted } from "@/terms/output-text";
import { crc32 } from "./crc32";
import {
  type CellDoubt,
  type CellFact,
  cellText,
  FileProblem,
  requireRowsMax,
  type Table,
  type TableRow,
} from "./decode-file";
import { printable } from "./file-words";
import { readStoredNumber } from "./number-format";
import { countTitles } from "./rank-columns";

const COLUMNS_MAX = 256;

/** What all sheets of a workbook share. */
interface Shared {
  strings: string[];
  styles: Style[];
  isFrom1904: boolean;
  /** Whether the program that wrote the workbook left the calculating to the spreadsheet that opens it. */
  isUncalculated: boolean;
}

/**
 * The rows of a sheet. Each cell is the text that the file stores: no number becomes a float. A date is
 * written as `2026-11-22`, a percentage is named as one, and a formula without a stored result is its own
 * text, so that none can pass for an amount.
 * @throws FileProblem
 */
function readSheet(xml: string, sheet: string, shared: Shared): Table {
  const rows: TableRow[] = [];
  const facts: NonNullable<Table["facts"]> = [];
  const hiddenColumns = new Set<number>();
  const hiddenLines: number[] = [];
  const lines = new Set<number>();
  let line = 0;
  let cells: Element[] = [];
  const readRow = ({ r, hidden, ht }: Element["attributes"]) => {
    line = r ? Number(r) : line + 1;
    requireNew(lines, line);
    const row: TableRow = { line, cells: [] };
    const columns = new Set<number>();
    let column = -1;
    for (const cell of cells) {
      const name = cell.attributes.r ?? "";
      column = columnOf(name) ?? column + 1;
      requireNew(columns, column);
      const { text: whole, isNumber, doubt, facts: found } = readCell(cell, shared);
      const text = cellText(whole);
      for (const [fact, example] of found) {
        const known = facts[column]?.[fact] ?? { count: 0, example };
        facts[column] = { ...facts[column], [fact]: { ...known, count: known.count + 1 } };
      }
      if (doubt) row.doubts = { ...row.doubts, [column]: doubt };
      if (text === "") continue;
      if (column >= COLUMNS_MAX)
        throw new FileProblem(
          `Line ${line} has a value in ${printable(name) || `column ${column + 1}`}, beyond the ` +
            `first ${COLUMNS_MAX} columns. Delete it, or columns that are not needed.`,
        );
      while (row.cells.length < column) row.cells.push("");
      row.cells[column] = text;
      if (isNumber) row.numbers = [...(row.numbers ?? []), column];
    }
    cells = [];
    if (row.cells.length > 0) rows.push(row);
    if (row.cells.length > 0 && (isTrue(hidden) || Number(ht ?? "1") === 0)) hiddenLines.push(line);
    requireRowsMax(rows);
  };
  readElements(xml, /^(?:col|row|c)$/, (element) => {
    const { name, attributes } = element;
    if (name === "c") cells.push(element);
    else if (name === "row") readRow(attributes);
    else if (isTrue(attributes.hidden) || Number(attributes.width ?? "1") === 0) {
      // Spreadsheets end such ranges at their last column.
      const last = Math.min(Number(attributes.max), COLUMNS_MAX);
      for (let at = Number(attributes.min); at <= last; at++) hiddenColumns.add(at - 1);
    }
  });
  if (hiddenLines.length > 0)
    throw new FileProblem(
      `The sheet “${printable(sheet)}” has ${counted(hiddenLines.length, "hidden row", "hidden rows")}, ` +
        `such as row ${hiddenLines[0]}, perhaps filtered out. Show them, and delete those not to be paid.`,
    );
  const titles = rows.splice(0, countTitles(rows)).map(({ cells }) => cells.filter(Boolean).join(" "));
  return { rows, delimiter: null, hiddenColumns, titles, facts };
}

interface ReadCell {
  text: string;
  isNumber?: boolean;
  doubt?: CellDoubt;
  facts: [fact: CellFact, example: string][];
}

function readCell(
  { attributes: { t: type = "n", s: style = "0" }, texts }: Element,
  shared: Shared,
): ReadCell {
  const { v: value = "", f: formula, t: inline = "" } = texts;
  const hasResult = type === "str" || value !== "" || inline !== "";
  if (formula !== undefined && (!hasResult || (shared.isUncalculated && type === "n" && value === "0")))
    return { text: `=${formula.trim()}`, doubt: "formula", facts: [] };
  const facts: ReadCell["facts"] = formula === undefined ? [] : [["formula", ""]];
  const number = type === "n" ? readStoredNumber(value) : null;
  if (number) {
    const { kind, ...shownAs } = shared.styles[Number(style)] ?? {};
    if (kind === "date") return { text: dateOf(value, shared.isFrom1904), facts };
    const { text, isCleaned } = number;
    if (kind) return { text: `${text} (${kind})`, facts };
    if (isCleaned) facts.push(["cleaned", `${value} is ${text}`]);
    facts.push(...shownFacts(text, shownAs));
    return { text, isNumber: true, facts, ...(/^\d{16}/.test(text) && { doubt: "digits" }) };
  }
  if (type === "s" && value !== "") {
    const stored = shared.strings[Number(value)];
    if (stored === undefined) throw new FileProblem(`The texts of some cells are missing. ${DAMAGED}`);
    return { text: stored, facts };
  }
  if (type === "b") return { text: { 0: "FALSE", 1: "TRUE" }[value] ?? value, facts };
  const text = type === "inlineStr" ? unescaped(inline) : type === "str" ? unescaped(value) : value;
  return { text, facts };
}

/** Of two rows or cells with one name, nobody can say which is meant. @throws FileProblem */
function requireNew(known: Set<number>, at: number): void {
  if (known.has(at)) throw new FileProblem(DAMAGED);
  known.add(at);
}

const isTrue = (attribute = "") => /^(?:1|true)$/.test(attribute);

const LETTER_A = 64;

/** Zero-based, of `AB12`. */
function columnOf(reference: string): number | null {
  const letters = /^([A-Z]{1,3})\d/i.exec(reference)?.[1]?.toUpperCase();
  if (!letters) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - LETTER_A;
  return column - 1;
}

/** A text stores what XML cannot as `_x000D_`, an underscore as `_x005F_` (ECMA-376 part 1, 22.9.2.19). */
const unescaped = (text: string) =>
  text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The texts that cells refer to by number. */
function readStrings(xml: string | null): string[] {
  const strings: string[] = [];
  readElements(xml, /^si$/, ({ texts }) => strings.push(cellText(unescaped(texts.t ?? ""))));
  return strings;
}

/** What a cell style shows a number as, if not as it is. */
interface Style {
  kind?: "date" | "percentage";
  decimals?: number;
  /** A format that hides the number or shows another one. */
  otherwise?: string;
}

function readStyles(xml: string | null): Style[] {
  const codes = new Map<number, string>();
  let styles: Style[] = [];
  let section: Style[] = [];
  readElements(xml, /^(?:numFmt|xf|cellStyleXfs|cellXfs)$/, ({ name, attributes }) => {
    const format = Number(attributes.numFmtId ?? "0");
    if (name === "numFmt") codes.set(format, attributes.formatCode ?? "");
    else if (name === "xf") section.push(styleOf(codes.get(format) ?? builtInCode(format)));
    else {
      if (name === "cellXfs") styles = styles.concat(section);
      section = [];
    }
  });
  return styles;
}

/** Built-in formats (ECMA-376 part 1, 18.8.30), each named by the simplest one that shows a number alike. */
const BUILT_IN: Record<string, readonly number[]> = {
  d: [
    14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53,
    54, 55, 56, 57, 58,
  ],
  "0%": [9, 10],
  "0": [1, 3, 5, 6, 37, 38, 41, 42],
  "0.00": [2, 4, 7, 8, 39, 40, 43, 44],
};
const builtInCode = (id: number) =>
  Object.entries(BUILT_IN).find(([, ids]) => ids.includes(id))?.[0] ?? "General";

/** Text next to a digit that one reads as a part of the number: `0"000"`, `0\.00`, `0"%"`. */
const DIGITS_AS_TEXT = /[0#?](?:"\s*[\d.,%]+"|\\[\d.,%])|(?:"[\d.,]+"|\\[\d.,])[0#?]/;

/** Reads a format without quoted text, escaped characters, colors and currencies. `[h]` is a duration. */
function styleOf(code: string): Style {
  const plain = code.replaceAll(/"[^"]*"|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, "");
  if (plain.includes("%")) return { kind: "percentage" };
  const sections = plain.replaceAll(/general/gi, "@").split(";");
  if (/[ymdhs]/i.test(sections.join())) return { kind: "date" };
  // The first is for numbers above zero, unless the format has conditions.
  const used = /\[[<>=]/.test(code) ? sections : sections.slice(0, 1);
  // Nothing, the year of an era, or thousands.
  const isOther = (section: string) =>
    !/[0#?@]/.test(section) || /[eg](?![+-])|[0#?],+(?![0#?,])/i.test(section);
  const isChanged = DIGITS_AS_TEXT.test(code) || used.some(isOther);
  if (code !== "" && isChanged) return { otherwise: printable(code) };
  const decimals = /^[^@/eE]*$/.test(used.join()) ? /\.([0#?]*)/.exec(used[0]!) : undefined;
  return decimals === undefined ? {} : { decimals: decimals?.[1]?.length ?? 0 };
}

/** How a spreadsheet shows a number otherwise than it is stored. */
function shownFacts(text: string, { decimals, otherwise }: Style): ReadCell["facts"] {
  if (otherwise !== undefined) return [["otherwise", `${text} has the format “${otherwise}”`]];
  const [, stored = ""] = text.split(".");
  if (decimals === undefined || stored.length <= decimals) return [];
  return [["rounded", `${text} is shown with ${counted(decimals, "decimal", "decimals")}`]];
}

/** 9999-12-31. */
const LAST_DAY = 2_958_465;

/** Days since the workbook's first day, as a date. A time alone has none. No amount, so floats will do. */
function dateOf(serial: string, isFrom1904: boolean): string {
  const day = Math.floor(Number(serial));
  if (!(day >= 1 && day <= LAST_DAY)) return `${serial} (date)`;
  const time = isFrom1904 ? Date.UTC(1904, 0, 1 + day) : Date.UTC(1899, 11, 30 + day);
  return new Date(time).toISOString().slice(0, 10);
}

export const DAMAGED = "The workbook is damaged. Open it in your spreadsheet, save it, and choose it again.";

/** Names come without their namespace prefix; attributes keep it. */
interface Element {
  name: string;
  attributes: Partial<Record<string, string>>;
  /** What is written in it, by the name of the element around each text, also if there is none. */
  texts: Partial<Record<string, string>>;
}

/** Extensions repeat names of elements, and phonetic hints repeat texts. Neither is shown in cells. */
const SKIPPED = /^(?:extLst|rPh)$/;

/** Each element with such a name, at its end. Declared entities are never expanded. @throws FileProblem */
function readElements(xml: string | null, names: RegExp, read: (element: Element) => void): void {
  const open: string[] = [];
  const found: Element[] = [];
  let skipped = 0;
  const addText = (text: string) => {
    const texts = found.at(-1)?.texts;
    if (texts && skipped === 0) texts[open.at(-1)!] = (texts[open.at(-1)!] ?? "") + text;
  };
  const parser = new Parser();
  parser.on("openTag", (prefixed, attributes, decode) => {
    const name = prefixed.slice(prefixed.indexOf(":") + 1);
    open.push(name);
    if (SKIPPED.test(name)) skipped++;
    if (skipped === 0 && names.test(name)) {
      const decoded = Object.entries(attributes()).map(([key, value]) => [key, decode(value)]);
      found.push({ name, attributes: Object.fromEntries(decoded), texts: {} });
    } else addText("");
  });
  parser.on("closeTag", () => {
    const name = open.pop()!;
    if (skipped === 0 && names.test(name)) read(found.pop()!);
    if (SKIPPED.test(name)) skipped--;
  });
  parser.on("text", (text, decode) => addText(decode(text)));
  parser.on("cdata", addText);
  parser.on("error", () => {
    throw new FileProblem(DAMAGED);
  });
  if (xml !== null) parser.parse(xml);
}

/** The attributes of each element with such a name; none if there is no such part. */
function attributesOf(xml: string | null, names: RegExp): Element["attributes"][] {
  const found: Element["attributes"][] = [];
  readElements(xml, names, ({ attributes }) => found.push(attributes));
  return found;
}

/** Uncompressed, of one part of the workbook: larger ones could exhaust the browser's memory. */
export const PART_BYTES_MAX = 128 * 1024 * 1024;
const PARTS_MAX = 10_000;
/** A larger sheet is not empty. */
const EMPTY_BYTES_MAX = 1024 * 1024;

export type Workbook = ReturnType<typeof openWorkbook>;
export type SheetName = Workbook["sheets"][number];

/**
 * Opens an .xlsx file. Each part is uncompressed when it is needed, after its declared size was checked, and
 * never beyond that size. It is compared with its checksum.
 * @throws FileProblem
 */
export function openWorkbook(bytes: Uint8Array) {
  const parts = intact(() => readDirectory(bytes));
  /** Null when the workbook has no such part. */
  const part = (path: string): string | null => {
    const found = parts.get(keyOf(path));
    if (found === undefined) return null;
    if (found.size > PART_BYTES_MAX)
      throw new FileProblem("The workbook is too large when uncompressed. Save a sheet as CSV or split it.");
    const isPart: UnzipFileFilter = ({ name, originalSize }) =>
      keyOf(name) === keyOf(path) && originalSize === found.size;
    const [content] = intact(() => Object.values(unzipSync(bytes, { filter: isPart })));
    if (!content || found.isTwice || crc32(content) !== found.checksum) throw new FileProblem(DAMAGED);
    const encoding = { 255: "utf-16le", 254: "utf-16be" }[content[0]!] ?? "utf-8";
    return new TextDecoder(encoding).decode(content);
  };
  const path = linksOf(part("_rels/.rels"), "").find(({ type }) => type === "officeDocument")?.path;
  if (path?.endsWith(".bin")) throw new FileProblem("This is an .xlsb workbook. Save it as .xlsx.");
  const text = path && part(path);
  if (!path || !text || !/\bworksheets?\b|<(?:\w+:)?sheets\b/.test(text))
    throw new FileProblem("This is not an Excel workbook. Save it as .xlsx or CSV UTF-8.");
  const slash = path.lastIndexOf("/") + 1;
  const folder = path.slice(0, slash);
  const links = linksOf(part(`${folder}_rels/${path.slice(slash)}.rels`), folder);
  const byId = new Map(links.map((link) => [link.id, link]));
  const sheets = attributesOf(text, /^sheet$/)
    .map(({ name = "", state = "", ...others }) => {
      const id = Object.entries(others).find(([key]) => key.endsWith(":id"))?.[1];
      return { name, isHidden: /hidden/i.test(state), link: byId.get(id ?? "") };
    })
    // Others are charts, dialogs and macros, which have no cells.
    .filter(({ link }) => link === undefined || link.type === "worksheet");
  if (sheets.length === 0)
    throw new FileProblem("The workbook has no sheet with cells. Add one, or choose another file.");
  const linked = (type: string) => links.find((link) => link.type === type)?.path;
  const [styles, strings] = [linked("styles"), linked("sharedStrings")];
  let shared: Shared | undefined;
  /** @throws FileProblem */
  const read = (sheet: number): Table => {
    const { link, name } = sheets[sheet]!;
    const xml = intact(() => (link ? part(link.path) : null));
    shared ??= {
      strings: readStrings(strings === undefined ? null : part(strings)),
      // Without its formats, a date could pass for an amount.
      styles: readStyles(styles === undefined ? null : intact(() => part(styles))),
      isFrom1904: attributesOf(text, /^workbookPr$/).some(({ date1904 }) => isTrue(date1904)),
      isUncalculated: attributesOf(text, /^calcPr$/).some(({ fullCalcOnLoad }) => isTrue(fullCalcOnLoad)),
    };
    return readSheet(xml, name, shared);
  };
  const isEmpty = (sheet: number): boolean => {
    const size = parts.get(keyOf(sheets[sheet]!.link?.path ?? ""))?.size;
    if (size === undefined || size > EMPTY_BYTES_MAX) return false;
    try {
      return read(sheet).rows.length === 0;
    } catch (error) {
      if (error instanceof FileProblem) return false;
      throw error;
    }
  };
  return { sheets: sheets.map(({ name, isHidden }) => ({ name, isHidden })), read, isEmpty };
}

/** @throws FileProblem if there is no such part, or it cannot be read */
function intact<Result>(read: () => Result | null): Result {
  try {
    const result = read();
    if (result !== null) return result;
  } catch (error) {
    if (error instanceof FileProblem) throw error;
  }
  throw new FileProblem(DAMAGED);
}

/** A record of the archive's directory, and its end. */
const ENTRY = 0x02014b50;
const END = 0x06054b50;

/** The parts that the archive lists, by `keyOf` their names. fflate reads no checksums (CRC-32). */
function readDirectory(bytes: Uint8Array) {
  const parts = new Map<string, { size: number; checksum: number; isTwice: boolean }>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const two = (offset: number) => view.getUint16(offset, true);
  const four = (offset: number) => view.getUint32(offset, true);
  let end = bytes.length - 22;
  while (four(end) !== END) end--;
  let entry = four(end + 16);
  for (let left = Math.min(two(end + 8), PARTS_MAX); left > 0; left--) {
    if (four(entry) !== ENTRY) throw new RangeError("no such entry");
    const name = entry + 46;
    const extras = name + two(entry + 28);
    const key = keyOf(strFromU8(bytes.subarray(name, extras)));
    parts.set(key, { size: four(entry + 24), checksum: four(entry + 16), isTwice: parts.has(key) });
    entry = extras + two(entry + 30) + two(entry + 32);
  }
  return parts;
}

/** Parts' names ignore letter case (ECMA-376 part 2, 6.2.2.3), and some writers use backslashes. */
const keyOf = (path: string) => path.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

/** Targets are URL references (ECMA-376 part 2, 6.5.3): relative, with `..` and percent-encoding. */
function pathOf(target: string, folder: string): string {
  try {
    return decodeURIComponent(new URL(target.replaceAll("\\", "/"), `file:///${folder}`).pathname.slice(1));
  } catch {
    return folder + target;
  }
}

/** The relationships of a part: the other part that each of its ids refers to. */
function linksOf(xml: string | null, folder: string) {
  return attributesOf(xml, /^Relationship$/).map(({ Id = "", Type = "", Target = "" }) => ({
    id: Id,
    type: Type.slice(Type.lastIndexOf("/") + 1),
    path: pathOf(Target, folder),
  }));
}
