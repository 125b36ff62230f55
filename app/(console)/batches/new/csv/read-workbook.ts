import { unzipSync } from "fflate";
import { FileProblem } from "./decode-file";
import { DAMAGED, readSheet, readXml, type SheetRows } from "./read-sheet";

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
