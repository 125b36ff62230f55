import { unzipSync } from "fflate";
import { Parser } from "saxen";
import { FileProblem, requireRowsMax, type Table, type TableRow } from "./decode-file";
import { countTitles } from "./map-columns";
import { readStoredNumber } from "./number-format";

const COLUMNS_MAX = 256;

/**
 * The rows of a sheet. Each cell is the text that the file stores: no number becomes a float. A date is written as
 * `2026-11-22`, a percentage is named as one, and a formula without a stored result is its own text, so that none can
 * pass for an amount.
 * @throws FileProblem
 */
function readSheet(xml: string, strings: string[], styles: StyleKind[], isFrom1904: boolean): Table {
  const rows: TableRow[] = [];
  const formulaCounts: number[] = [];
  const cleaned: NonNullable<Table["cleaned"]> = [];
  let line = 0;
  let isHidden = false;
  let cells: string[] = [];
  let numbers: number[] = [];
  let column = -1;
  /** With the texts of its elements: value, formula, text. */
  let cell = { type: "n", style: 0, v: "", f: "", t: "" };
  /** The element whose text is being read. */
  let reading: "v" | "f" | "t" | null = null;
  const hiddenColumns = new Set<number>();

  const endCell = () => {
    const { type, v: value, f: formula } = cell;
    let text = value;
    let isNumber = false;
    if (formula !== "") formulaCounts[column] = (formulaCounts[column] ?? 0) + 1;
    if (formula !== "" && value === "" && type !== "str") text = `=${formula}`;
    else if (type === "s" && value !== "") {
      const stored = strings[Number(value)];
      if (stored === undefined) throw new FileProblem(`The texts of some cells are missing. ${DAMAGED}`);
      text = stored;
    } else if (type === "inlineStr") text = unescaped(cell.t);
    else if (type === "str") text = unescaped(value);
    else if (type === "b") text = value === "1" ? "TRUE" : value === "0" ? "FALSE" : value;
    else if (type === "n" && value !== "") {
      const number = readStoredNumber(value);
      const kind = styles[cell.style];
      if (kind === "date") text = dateOf(value, isFrom1904);
      else if (kind) text = `${number?.text ?? value} (${kind})`;
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
    if (cells.length === 0) return;
    rows.push({ line, cells, ...(numbers.length > 0 && { numbers }), ...(isHidden && { hidden: true }) });
    requireRowsMax(rows);
  };
  readXml(xml, {
    open: (name, attributes) => {
      if (name === "col") {
        const { min = "0", max = "0", hidden, width } = attributes();
        const isHiddenColumn = isTrue(hidden) || Number(width ?? "1") === 0;
        // Spreadsheets end such ranges at their last column.
        for (let at = Number(min); isHiddenColumn && at <= Math.min(Number(max), COLUMNS_MAX); at++)
          hiddenColumns.add(at - 1);
      } else if (name === "row") {
        const { r, hidden, ht } = attributes();
        line = r ? Number(r) : line + 1;
        isHidden = isTrue(hidden) || Number(ht ?? "1") === 0;
        cells = [];
        numbers = [];
        column = -1;
      } else if (name === "c") {
        const { r = "", t = "n", s = "0" } = attributes();
        column = columnOf(r) ?? column + 1;
        cell = { type: t, style: Number(s), v: "", f: "", t: "" };
      } else if (name === "v" || name === "f" || name === "t") {
        reading = name;
        // A shared formula has its text only in its first cell.
        if (name === "f") cell.f = " ";
      }
    },
    text: (text) => {
      if (reading) cell[reading] += text;
    },
    close: (name) => {
      if (name === reading) reading = null;
      else if (name === "c") endCell();
      else if (name === "row") endRow();
    },
  });
  const titleRows = countTitles(rows);
  rows.splice(0, titleRows);
  return { rows, delimiter: null, hiddenColumns, titleRows, formulaCounts, cleaned };
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

/** `_x000D_` is how a text stores a character that XML cannot (ECMA-376 part 1, 22.9.2.19), and `_x005F_` an underscore. */
const unescaped = (text: string) =>
  text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The texts that cells refer to by number. */
function readStrings(xml: string | null): string[] {
  const strings: string[] = [];
  let text = "";
  let isReading = false;
  if (xml === null) return strings;
  readXml(xml, {
    open: (name) => {
      if (name === "si") text = "";
      isReading = name === "t";
    },
    text: (part) => {
      if (isReading) text += part;
    },
    close: (name) => {
      if (name === "si") strings.push(unescaped(text));
      isReading = false;
    },
  });
  return strings;
}

/** Built-in formats of dates and times: ECMA-376 part 1, 18.8.30. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

type StyleKind = "date" | "percentage" | undefined;

/** What each cell style shows a number as, if not as a plain number. */
function readStyles(xml: string | null): StyleKind[] {
  const styles: StyleKind[] = [];
  const custom = new Map<number, StyleKind>();
  let section = "";
  for (const { element, numFmtId = "0", formatCode = "" } of elementsOf(
    xml,
    /^(?:numFmt|cellStyleXfs|cellXfs|xf)$/,
  )) {
    const format = Number(numFmtId);
    if (element === "numFmt") custom.set(format, kindOfCode(formatCode));
    else if (element !== "xf") section = element;
    else if (section === "cellXfs")
      styles.push(custom.has(format) ? custom.get(format) : builtInKind(format));
  }
  return styles;
}

const builtInKind = (id: number): StyleKind =>
  isBuiltInDate(id) ? "date" : id === 9 || id === 10 ? "percentage" : undefined;

/** Without quoted text, escaped characters, colors and currencies. `[h]` is a duration. */
function kindOfCode(code: string): StyleKind {
  const plain = code.replaceAll(/"[^"]*"|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, "");
  if (plain.includes("%")) return "percentage";
  return /[ymdhs]/i.test(plain.replaceAll(/general/gi, "")) ? "date" : undefined;
}

/** 9999-12-31. */
const LAST_DAY = 2_958_465;

/** Days since the workbook's first day, as a date. A time alone has none. Dates are not amounts, so they may be floats. */
function dateOf(serial: string, isFrom1904: boolean): string {
  const day = Math.floor(Number(serial));
  if (!(day >= 1 && day <= LAST_DAY)) return `${serial} (date)`;
  const time = isFrom1904 ? Date.UTC(1904, 0, 1 + day) : Date.UTC(1899, 11, 30 + day);
  return new Date(time).toISOString().slice(0, 10);
}

interface Handlers {
  /** Names come without their namespace prefix; attributes keep it. */
  open?: (name: string, attributes: () => Record<string, string>) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

export const DAMAGED = "The workbook is damaged. Open it in your spreadsheet, save it, and choose it again.";

const local = (name: string) => name.slice(name.indexOf(":") + 1);

/** Extensions repeat names of elements, and phonetic hints repeat texts. Neither is shown in cells. */
const SKIPPED = /^(?:extLst|rPh)$/;

/** Declared entities are never expanded. @throws FileProblem */
export function readXml(xml: string, { open, close, text }: Handlers): void {
  let skipped = 0;
  const parser = new Parser();
  const decoded = (attributes: Record<string, string>, decode: (text: string) => string) =>
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, decode(value)]));
  parser.on("openTag", (prefixed, attributes, decode) => {
    const name = local(prefixed);
    if (SKIPPED.test(name)) skipped++;
    if (skipped === 0) open?.(name, () => decoded(attributes(), decode));
  });
  parser.on("closeTag", (prefixed) => {
    const name = local(prefixed);
    if (skipped === 0) close?.(name);
    if (SKIPPED.test(name)) skipped--;
  });
  const read = (part: string) => {
    if (skipped === 0) text?.(part);
  };
  parser.on("text", (part, decode) => read(decode(part)));
  parser.on("cdata", read);
  parser.on("error", () => {
    throw new FileProblem(DAMAGED);
  });
  parser.parse(xml);
}

/** The elements with such a name and their attributes, in the order of the file; none if there is no such part. */
function elementsOf(xml: string | null, names: RegExp) {
  const found: ({ element: string } & Partial<Record<string, string>>)[] = [];
  if (xml === null) return found;
  readXml(xml, {
    open: (element, attributes) => {
      if (names.test(element)) found.push({ ...attributes(), element });
    },
  });
  return found;
}

/** Uncompressed, of one part of the workbook: larger ones could exhaust the browser's memory. */
export const PART_BYTES_MAX = 128 * 1024 * 1024;
const PARTS_MAX = 10_000;

export interface Workbook {
  sheets: SheetName[];
  /** @throws FileProblem */
  read(sheet: number): Table;
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
  const sheets = elementsOf(text, /^sheet$/).map(({ element, name = "", state = "", ...others }) => ({
    name,
    isHidden: /hidden/i.test(state),
    link: Object.entries(others).find(([key]) => key.endsWith(":id"))?.[1],
  }));
  const isFrom1904 = elementsOf(text, /^workbookPr$/).some(({ date1904 }) => isTrue(date1904));
  const partOf = (type: string) => part(links.find((link) => link.type === type)?.path ?? "");
  return {
    sheets: sheets.map(({ name, isHidden }) => ({ name, isHidden })),
    read: (sheet) => {
      const link = links.find(({ id }) => id === sheets[sheet]?.link);
      const xml = link?.type === "worksheet" ? part(link.path) : null;
      if (xml === null) throw new FileProblem("This sheet has no cells. Choose another sheet.");
      return readSheet(xml, readStrings(partOf("sharedStrings")), readStyles(partOf("styles")), isFrom1904);
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
  return elementsOf(xml, /^Relationship$/).map(({ Id = "", Type = "", Target = "" }) => ({
    id: Id,
    type: Type.slice(Type.lastIndexOf("/") + 1),
    path: pathOf(Target, folder),
  }));
}
