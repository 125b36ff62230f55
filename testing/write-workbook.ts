import { strToU8, zipSync } from "fflate";

/** A cell: text, or a number's stored text, or XML such as `<c t="b"><v>1</v></c>`. */
export type Cell = string | { stored: string; style?: number } | { xml: string };

export interface SheetSpec {
  name: string;
  rows: (Cell[] | { cells: Cell[]; hidden: true })[];
  isHidden?: boolean;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const LINKS = "http://schemas.openxmlformats.org/package/2006/relationships";
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const stringItem = (text: string) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`;

/** Formats that a cell's `style` names by their place: as code, or the number of a built-in one. */
const FORMATS = [
  0,
  14,
  "[$-407]d/ mmmm\\ yyyy",
  "#,##0.00\\ [$€-407]&quot; days&quot;",
  9,
  "0.0\\ %",
  2,
  "#,##0",
  ";;;",
  "0.00,",
  "#,##0.0,,&quot;M&quot;",
  "[$-411]e",
  "&quot;paid&quot;",
  "0.00E+00",
  "[Red][&lt;10]0.00;General",
  "0&quot;.&quot;00",
  "0\\.000",
  "0&quot; %&quot;",
  "0.00&quot; pts. 1&quot;",
];
const CUSTOM = 164;
const STYLES = `<styleSheet xmlns="${SPREADSHEET}"><numFmts>${FORMATS.map(
  (code, at) => `<numFmt numFmtId="${CUSTOM + at}" formatCode="${code}"/>`,
).join("")}</numFmts><cellXfs>${FORMATS.map(
  (code, at) => `<xf numFmtId="${typeof code === "number" ? code : CUSTOM + at}"/>`,
).join("")}</cellXfs></styleSheet>`;

/** The bytes of an .xlsx file with the parts that spreadsheets write, texts in the shared table. */
export function writeWorkbook(sheets: readonly SheetSpec[]): Uint8Array {
  const strings: string[] = [];
  const cellXml = (cell: Cell, reference: string) => {
    if (typeof cell === "string")
      return cell === "" ? "" : `<c r="${reference}" t="s"><v>${strings.push(cell) - 1}</v></c>`;
    if ("xml" in cell) return cell.xml.replace("<c", `<c r="${reference}"`);
    return `<c r="${reference}"${cell.style ? ` s="${cell.style}"` : ""}><v>${cell.stored}</v></c>`;
  };
  const sheetXml = ({ rows }: SheetSpec) => {
    const written = rows.map((row, at) => {
      const cells = Array.isArray(row) ? row : row.cells;
      const hidden = Array.isArray(row) ? "" : ' hidden="1"';
      const inner = cells.map((cell, column) =>
        cellXml(cell, `${String.fromCharCode(65 + column)}${at + 1}`),
      );
      return `<row r="${at + 1}"${hidden}>${inner.join("")}</row>`;
    });
    return `<worksheet xmlns="${SPREADSHEET}"><sheetData>${written.join("")}</sheetData></worksheet>`;
  };
  const link = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`;
  const links = (inner: string) => `<Relationships xmlns="${LINKS}">${inner}</Relationships>`;
  const parts: Record<string, string> = {
    "_rels/.rels": links(link("r1", "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": `<workbook xmlns="${SPREADSHEET}" xmlns:r="${TYPES}"><sheets>${sheets
      .map(
        ({ name, isHidden }, at) =>
          `<sheet name="${escaped(name)}" sheetId="${at + 1}"` +
          `${isHidden ? ' state="hidden"' : ""} r:id="s${at}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": links(
      sheets.map((_, at) => link(`s${at}`, "worksheet", `worksheets/sheet${at + 1}.xml`)).join("") +
        link("x1", "styles", "/xl/styles.xml") +
        link("x2", "sharedStrings", "sharedStrings.xml"),
    ),
    "xl/styles.xml": STYLES,
  };
  sheets.forEach((sheet, at) => {
    parts[`xl/worksheets/sheet${at + 1}.xml`] = sheetXml(sheet);
  });
  parts["xl/sharedStrings.xml"] = `<sst xmlns="${SPREADSHEET}">${strings.map(stringItem).join("")}</sst>`;
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  return zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(head + xml)])));
}
