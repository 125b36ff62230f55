import { badRowsCsv, checkRows, transferRows } from "./check-rows";
import type {
  Answered,
  Asked,
  Checked,
  CheckedRows,
  CheckOptions,
  Loaded,
  LoadedWorkbook,
  Requests,
  Transfer,
} from "./checked";
import { decodeFile, FILE_BYTES_MAX, FileProblem, isArchive, type Table } from "./decode-file";
import { findColumns } from "./map-columns";
import { readTable } from "./read-table";
import type { Workbook } from "./read-workbook";

/** Time between two checks for a newer request. */
const YIELD_EVERY_MS = 30;

let table: Table | undefined;
let last: { options: CheckOptions; checked: CheckedRows } | undefined;
let newest = 0;
let newestLoad = 0;

self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  const { ask } = data;
  const reply = (answer: DistributiveOmit<Answered>) => self.postMessage({ ...answer, ask });
  if (data.kind === "load" || data.kind === "check") newest = ask;
  if (data.kind === "load") newestLoad = ask;
  try {
    reply({ value: await answer(data, (progress) => reply({ progress })) });
  } catch (error) {
    const isKnown = error instanceof FileProblem;
    if (!isKnown) console.error(error);
    reply({ refused: isKnown ? error.message : "Could not read the file. Try again." });
  }
};

type DistributiveOmit<Of> = Of extends unknown ? Omit<Of, "ask"> : never;
type OnProgress = (progress: { done: number; total: number }) => void;

async function answer(request: Asked, onProgress: OnProgress) {
  switch (request.kind) {
    case "load": {
      const { source } = request;
      const content = typeof source === "string" ? source : await contentOf(source);
      return request.ask === newestLoad ? load(content, request) : undefined;
    }
    case "check":
      return await check(request.options, request.ask, onProgress);
    case "badRows":
      return last && table ? badRowsCsv(table, last.options.columns, last.checked) : "";
    case "rows":
      return rowsOf(request.part);
  }
}

/** The code that reads workbooks is loaded with the first one. */
async function contentOf(file: File): Promise<string | Workbook> {
  if (file.size > FILE_BYTES_MAX) {
    throw new FileProblem(
      `The file is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB. Split it into smaller files.`,
    );
  }
  const bytes = await file.arrayBuffer();
  if (!isArchive(bytes)) return decodeFile(bytes);
  const { openWorkbook } = await import("./read-workbook");
  return openWorkbook(new Uint8Array(bytes));
}

function load(content: string | Workbook, { name, header, sheet }: Requests["load"]["given"]): Loaded {
  table = undefined;
  last = undefined;
  if (typeof content === "string") return loadedOf(readTable(content), name, header, null);
  const { sheets } = content;
  const visible = sheets.flatMap(({ isHidden }, index) => (isHidden ? [] : [index]));
  // Which of several sheets is meant is never guessed.
  const chosen = sheet ?? (visible.length === 1 ? visible[0]! : null);
  if (chosen === null)
    return loadedOf({ rows: [], delimiter: null, emptyLines: 0 }, name, false, { sheets, sheet: null });
  const read = content.read(chosen);
  const { formulaCounts, cleaned } = read;
  return loadedOf(read, name, header, { sheets, sheet: chosen, formulaCounts, cleaned });
}

function loadedOf(
  read: Table,
  name: string,
  header: boolean | undefined,
  workbook: LoadedWorkbook | null,
): Loaded {
  const { emptyLines, titleRows = 0, notes = [] } = read;
  const columns = findColumns(read, header);
  const rowCount = transferRows(read, columns).length;
  // With several sheets, the user may have chosen the wrong one.
  if (rowCount === 0 && !(workbook && workbook.sheets.length > 1))
    throw new FileProblem("No rows found. Add at least one row.");
  table = read;
  return { name, rowCount, emptyLines, titleRows, notes, columns, workbook };
}

/** Stops without a result once a newer request has arrived. */
async function check(
  options: CheckOptions,
  ask: number,
  onProgress: OnProgress,
): Promise<Checked | undefined> {
  if (!table) return undefined;
  const total = transferRows(table, options.columns).length;
  const checking = checkRows(table, options);
  let yieldedAt = performance.now();
  let step = checking.next();
  while (!step.done) {
    if (performance.now() - yieldedAt > YIELD_EVERY_MS) {
      onProgress({ done: step.value, total });
      await new Promise((resolve) => setTimeout(resolve));
      if (ask !== newest) return undefined;
      yieldedAt = performance.now();
    }
    step = checking.next();
  }
  last = { options, checked: step.value };
  const { transfers: _, ...checked } = step.value;
  return checked;
}

function rowsOf(part: number): Transfer[] {
  if (!last || last.checked.errors.length > 0 || last.checked.questions.length > 0)
    throw new FileProblem("The rows have changed. Go back and check them again.");
  const { transfersMax } = last.options.limits;
  return last.checked.transfers.slice(part * transfersMax, (part + 1) * transfersMax);
}
