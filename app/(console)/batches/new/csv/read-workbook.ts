import { unzipSync } from "fflate";
import { Parser } from "saxen";
import { FileProblem, ROWS_MAX, type Table, type TableRow, tooManyRows } from "./decode-file";
import { countTitles } from "./map-columns";
import { readStoredNumber } from "./read-table";

const COLUMNS_MAX = 256;

export interface SheetRows extends Table {
  /** Per column: cells whose value is the stored result of a formula. */
  formulaCounts: number[];
  /** Per column: how many numbers lost their binary rounding noise, and the first of them. */
  cleaned: ({ count: number; stored: string; text: string } | undefined)[];
}

interface SheetParts {
  strings: string | null;
  styles: string | null;
  isFrom1904: boolean;
}

/**
 * The rows of a sheet. Each cell is the text that the file stores: no number becomes a float. Dates become `2026-11-22`,
 * and formulas without a stored result their own text, so that neither can pass for an amount.
 * @throws FileProblem
 */
export function readSheet(xml: string, parts: SheetParts): SheetRows {
  const strings = readStrings(parts.strings);
  const styles = readStyles(parts.styles);
  const rows: TableRow[] = [];
  const formulaCounts: number[] = [];
  const cleaned: SheetRows["cleaned"] = [];
  let rowCount = 0;
  let emptyLines = 0;
  let line = 0;
  let isHidden = false;
  let cells: string[] = [];
  let numbers: number[] = [];
  let column = -1;
  let cell = { type: "n", style: 0, value: "", formula: "", inline: "" };
  /** The element whose text is being read. */
  let reading: "value" | "formula" | "inline" | null = null;
  let isPhonetic = false;
  /** Extensions repeat names of elements, and are not shown as cells. */
  let extensions = 0;
  const hiddenColumns = new Set<number>();

  const textOf = (index: number) => {
    const text = strings[index];
    if (text === undefined) throw new FileProblem(`The texts of some cells are missing. ${DAMAGED}`);
    return text;
  };
  const endCell = () => {
    const { type, value, formula } = cell;
    let text = value;
    let isNumber = false;
    if (formula !== "") formulaCounts[column] = (formulaCounts[column] ?? 0) + 1;
    if (formula !== "" && value === "" && type !== "str") text = `=${formula}`;
    else if (type === "s" && value !== "") text = textOf(Number(value));
    else if (type === "inlineStr") text = unescaped(cell.inline);
    else if (type === "str") text = unescaped(value);
    else if (type === "b") text = value === "1" ? "TRUE" : value === "0" ? "FALSE" : value;
    else if (type === "n" && value !== "") {
      const number = readStoredNumber(value);
      const kind = styles[cell.style];
      if (kind === "date") text = dateOf(value, parts.isFrom1904);
      else if (kind === "percent") text = percentOf(number?.text ?? value);
      else if (number) {
        text = number.text;
        isNumber = true;
        if (number.isCleaned) {
          const known = cleaned[column] ?? { count: 0, stored: value, text };
          cleaned[column] = { ...known, count: known.count + 1 };
        }
      }
    }
    text = text.trim();
    if (text === "") return;
    if (column >= COLUMNS_MAX)
      throw new FileProblem(
        `The sheet has more than ${COLUMNS_MAX} columns. Delete those that are not needed.`,
      );
    while (cells.length < column) cells.push("");
    cells[column] = text;
    if (isNumber) numbers.push(column);
  };
  const endRow = () => {
    if (cells.length === 0) {
      emptyLines++;
      return;
    }
    rowCount++;
    if (rowCount > ROWS_MAX + 1) return;
    rows.push({
      line,
      cells,
      ...(numbers.length > 0 && { numbers }),
      ...(isHidden && { hidden: true }),
    });
  };
  readXml(xml, {
    open: (name, attributes) => {
      if (name === "extLst") extensions++;
      if (extensions > 0) return;
      if (name === "col") {
        const { min = "0", max = "0", hidden, width } = attributes();
        const isHiddenColumn = /^(?:1|true)$/.test(hidden ?? "") || Number(width ?? "1") === 0;
        // Spreadsheets end such ranges at their last column.
        for (let at = Number(min); isHiddenColumn && at <= Math.min(Number(max), COLUMNS_MAX); at++)
          hiddenColumns.add(at - 1);
      } else if (name === "row") {
        const { r, hidden, ht } = attributes();
        line = r ? Number(r) : line + 1;
        isHidden = /^(?:1|true)$/.test(hidden ?? "") || Number(ht ?? "1") === 0;
        cells = [];
        numbers = [];
        column = -1;
      } else if (name === "c") {
        const { r = "", t = "n", s = "0" } = attributes();
        column = columnOf(r) ?? column + 1;
        cell = { type: t, style: Number(s), value: "", formula: "", inline: "" };
      } else if (name === "v") reading = "value";
      else if (name === "f") {
        reading = "formula";
        // A shared formula has its text only in its first cell.
        cell.formula = " ";
      } else if (name === "t") reading = isPhonetic ? null : "inline";
      else if (name === "rPh") isPhonetic = true;
    },
    text: (text) => {
      if (reading) cell[reading] += text;
    },
    close: (name) => {
      if (name === "extLst") extensions--;
      else if (extensions > 0) return;
      else if (name === "v" || name === "f" || name === "t") reading = null;
      else if (name === "rPh") isPhonetic = false;
      else if (name === "c") endCell();
      else if (name === "row") endRow();
    },
  });
  if (rowCount > ROWS_MAX + 1) throw tooManyRows(rowCount);
  const titleRows = countTitles(rows);
  const table = { rows: rows.slice(titleRows), delimiter: null, hiddenColumns, emptyLines, titleRows };
  return { ...table, formulaCounts, cleaned };
}

const LETTER_A = 64;

/** Zero-based, of `AB12`. */
function columnOf(reference: string): number | null {
  const letters = /^([A-Z]{1,3})\d/i.exec(reference)?.[1]?.toUpperCase();
  if (!letters) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - LETTER_A;
  return column - 1;
}

/** `_x000D_` is how a text stores a character that XML cannot (ECMA-376 part 1, 22.9.2.19), and `_x005F_` an underscore. */
const unescaped = (text: string) =>
  text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The texts that cells refer to by number. */
function readStrings(xml: string | null): string[] {
  const strings: string[] = [];
  if (xml === null) return strings;
  let text = "";
  let isReading = false;
  let isPhonetic = false;
  readXml(xml, {
    open: (name) => {
      if (name === "si") text = "";
      else if (name === "rPh") isPhonetic = true;
      else if (name === "t") isReading = !isPhonetic;
    },
    text: (part) => {
      if (isReading) text += part;
    },
    close: (name) => {
      if (name === "si") strings.push(unescaped(text));
      else if (name === "rPh") isPhonetic = false;
      else if (name === "t") isReading = false;
    },
  });
  return strings;
}

/** Built-in formats of dates and times: ECMA-376 part 1, 18.8.30. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

type StyleKind = "date" | "percent" | undefined;

/** What each cell style shows a number as, if not as a plain number. */
function readStyles(xml: string | null): StyleKind[] {
  const styles: StyleKind[] = [];
  if (xml === null) return styles;
  const custom = new Map<number, StyleKind>();
  let isCellStyle = false;
  readXml(xml, {
    open: (name, attributes) => {
      if (name === "numFmt") {
        const { numFmtId, formatCode = "" } = attributes();
        custom.set(Number(numFmtId), kindOfCode(formatCode));
      } else if (name === "cellXfs") isCellStyle = true;
      else if (name === "xf" && isCellStyle) {
        const format = Number(attributes().numFmtId ?? "0");
        styles.push(custom.has(format) ? custom.get(format) : builtInKind(format));
      }
    },
    close: (name) => {
      if (name === "cellXfs") isCellStyle = false;
    },
  });
  return styles;
}

const builtInKind = (id: number): StyleKind =>
  isBuiltInDate(id) ? "date" : id === 9 || id === 10 ? "percent" : undefined;

/** Without quoted text, escaped characters, colors and currencies. `[h]` is a duration. */
function kindOfCode(code: string): StyleKind {
  const plain = code.replaceAll(/"[^"]*"|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, "");
  if (plain.includes("%")) return "percent";
  return /[ymdhs]/i.test(plain.replaceAll(/general/gi, "")) ? "date" : undefined;
}

/** `0.1` as `10%`, as the sheet shows it. */
function percentOf(number: string): string {
  const [whole = "", fraction = ""] = number.split(".");
  const digits = fraction.padEnd(2, "0");
  const shown = `${whole}${digits.slice(0, 2)}`.replace(/^(-?)0+(?=\d)/, "$1");
  return `${shown}${digits.length > 2 ? `.${digits.slice(2)}` : ""}%`;
}

const DAY_MS = 86_400_000;

/** Days since the spreadsheet's first day, as a date. Dates are not amounts, so they may be floats. */
function dateOf(serial: string, isFrom1904: boolean): string {
  const start = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const date = new Date(start + Math.floor(Number(serial)) * DAY_MS);
  return Number.isNaN(date.getTime()) ? `${serial} (date)` : date.toISOString().slice(0, 10);
}

interface Handlers {
  /** Names come without their namespace prefix; attributes keep it. */
  open?: (name: string, attributes: () => Record<string, string>) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

export const DAMAGED = "The workbook is damaged. Open it in your spreadsheet, save it, and choose it again.";

const local = (name: string) => name.slice(name.indexOf(":") + 1);

/** Declared entities are never expanded. @throws FileProblem */
export function readXml(xml: string, { open, close, text }: Handlers): void {
  const parser = new Parser();
  const decoded = (attributes: Record<string, string>, decode: (text: string) => string) =>
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, decode(value)]));
  if (open)
    parser.on("openTag", (name, attributes, decode) =>
      open(local(name), () => decoded(attributes(), decode)),
    );
  if (close) parser.on("closeTag", (name) => close(local(name)));
  if (text) {
    parser.on("text", (part, decode) => text(decode(part)));
    parser.on("cdata", text);
  }
  parser.on("error", () => {
    throw new FileProblem(DAMAGED);
  });
  parser.parse(xml);
}

/** Uncompressed, of one part of the workbook: larger ones could exhaust the browser's memory. */
export const PART_BYTES_MAX = 128 * 1024 * 1024;
const PARTS_MAX = 10_000;

export interface Workbook {
  sheets: SheetName[];
  /** @throws FileProblem */
  read(sheet: number): SheetRows;
}

export interface SheetName {
  name: string;
  isHidden: boolean;
}

/**
 * Opens an .xlsx file. Each part is uncompressed when it is needed, after its declared size was checked, and never beyond
 * that size.
 * @throws FileProblem
 */
export function openWorkbook(bytes: Uint8Array): Workbook {
  const sizes = new Map<string, number>();
  const unzip = (filter: Parameters<typeof unzipSync>[1]) => {
    try {
      return unzipSync(bytes, filter);
    } catch {
      throw new FileProblem(DAMAGED);
    }
  };
  unzip({
    filter: ({ name, originalSize }) => {
      if (sizes.size < PARTS_MAX && !sizes.has(keyOf(name))) sizes.set(keyOf(name), originalSize);
      return false;
    },
  });
  /** Null when the workbook has no such part. */
  const part = (path: string): string | null => {
    const size = sizes.get(keyOf(path));
    if (size === undefined) return null;
    if (size > PART_BYTES_MAX)
      throw new FileProblem(
        "The workbook is too large when uncompressed. Save the sheet as CSV, or split it.",
      );
    const [content] = Object.values(
      unzip({ filter: ({ name, originalSize }) => keyOf(name) === keyOf(path) && originalSize === size }),
    );
    if (!content) throw new FileProblem(DAMAGED);
    return new TextDecoder(content[0] === 0xff ? "utf-16le" : "utf-8").decode(content);
  };
  const path = linksOf(part("_rels/.rels"), "").find(({ type }) => type === "officeDocument")?.path;
  const text = path && part(path);
  if (!path || !text || !/\bworksheets?\b|<(?:\w+:)?sheets\b/.test(text))
    throw new FileProblem("This is not an Excel workbook. Save it as .xlsx or CSV UTF-8.");
  const slash = path.lastIndexOf("/") + 1;
  const folder = path.slice(0, slash);
  const links = linksOf(part(`${folder}_rels/${path.slice(slash)}.rels`), folder);
  const { sheets, isFrom1904 } = readSheetNames(text);
  const partOf = (type: string) => part(links.find((link) => link.type === type)?.path ?? "");
  return {
    sheets: sheets.map(({ name, isHidden }) => ({ name, isHidden })),
    read: (sheet) => {
      const link = links.find(({ id }) => id === sheets[sheet]?.link);
      const xml = link?.type === "worksheet" ? part(link.path) : null;
      if (xml === null) throw new FileProblem("This sheet has no cells. Choose another sheet.");
      return readSheet(xml, { strings: partOf("sharedStrings"), styles: partOf("styles"), isFrom1904 });
    },
  };
}

/** Names of parts are compared without letter case (ECMA-376 part 2, 6.2.2.3), and some writers use backslashes. */
const keyOf = (path: string) => path.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

interface Link {
  id: string;
  type: string;
  path: string;
}

/** Targets are URL references (ECMA-376 part 2, 6.5.3): relative, with `..`, and with percent-encoded characters. */
function pathOf(target: string, folder: string): string {
  try {
    return decodeURIComponent(new URL(target.replaceAll("\\", "/"), `file:///${folder}`).pathname.slice(1));
  } catch {
    return folder + target;
  }
}

/** The relationships of a part: the other part that each of its ids refers to. */
function linksOf(xml: string | null, folder: string): Link[] {
  const links: Link[] = [];
  if (xml === null) return links;
  readXml(xml, {
    open: (name, attributes) => {
      if (name !== "Relationship") return;
      const { Id = "", Type = "", Target = "" } = attributes();
      links.push({ id: Id, type: Type.slice(Type.lastIndexOf("/") + 1), path: pathOf(Target, folder) });
    },
  });
  return links;
}

function readSheetNames(xml: string) {
  const sheets: (SheetName & { link: string })[] = [];
  let isFrom1904 = false;
  readXml(xml, {
    open: (name, attributes) => {
      if (name === "workbookPr") isFrom1904 = /^(?:1|true)$/.test(attributes().date1904 ?? "");
      if (name !== "sheet") return;
      const given = attributes();
      const link = Object.entries(given).find(([key]) => key.endsWith(":id"))?.[1] ?? "";
      sheets.push({ name: given.name ?? "", isHidden: /hidden/i.test(given.state ?? ""), link });
    },
  });
  return { sheets, isFrom1904 };
}
