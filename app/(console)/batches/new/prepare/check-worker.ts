import { badRowsCsv, checkRows, columnChoices } from "@/terms/file/check-rows";
import type {
  BatchRules,
  Checked,
  CheckedRows,
  CheckOptions,
  ColumnChoices,
  LoadedFile,
  Transfer,
  Treatment,
} from "@/terms/file/checked";
import { OwnComparison, type StoredBatch } from "@/terms/file/compare-own";
import { FileProblem, type Table } from "@/terms/file/decode-file";
import { openFile, readContent } from "@/terms/file/open-file";
import type { ColumnMap } from "@/terms/file/rank-columns";
import { readAddresses } from "@/terms/file/read-addresses";

/** A file or a text, and how the user says that it is read; otherwise it is detected. */
export interface GivenFile {
  /** Another one for each way to read it, so that the worker reads it only once. */
  id: number;
  source: File | string;
  name: string;
  header?: boolean;
  sheet?: number;
}

/** What the user chose about a file. */
export interface FileChoice {
  file: GivenFile;
  /** Null uses the detected columns. */
  map: ColumnMap | null;
  treatment: Treatment;
}

export interface FileResult {
  loaded: LoadedFile;
  choices: ColumnChoices;
  /** Null until both columns are known. */
  checked: Checked | null;
}

export interface Progress {
  of: "rows" | "batches";
  done: number;
  count: number;
}

const PAUSE_EVERY_MS = 30;
/** Lets newer requests arrive. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

/** The file that was read last, and the check that was made last. */
let current: { id: number; table: Table; loaded: LoadedFile } | undefined;
let last: { table: Table; options: CheckOptions; checked: CheckedRows } | undefined;
/** Of the last check with the batches that its rows name. */
let comparison: OwnComparison | undefined;
let newest: FileChoice | undefined;

/** Reads the file, unless it is the last one, and checks its rows. @returns undefined when it is outdated */
async function check(
  request: FileChoice & BatchRules,
  onProgress: (progress: Progress) => void,
): Promise<FileResult | undefined> {
  newest = request;
  // Only the newest is worked on.
  await pause();
  if (request !== newest) return undefined;
  const { file, map, treatment, ...rules } = request;
  if (current?.id !== file.id) {
    const content = typeof file.source === "string" ? file.source : await readContent(file.source);
    if (request !== newest) return undefined;
    last = undefined;
    current = undefined;
    current = { id: file.id, ...openFile(content, file) };
  }
  const { table, loaded } = current;
  const { toAddress, points, reference } = map ?? loaded.columns.map;
  const choices = columnChoices(table, loaded.columns, { toAddress, points, reference });
  if (toAddress === null || points === null) return { loaded, choices, checked: null };
  const columns = { ...loaded.columns, map: { toAddress, points, reference } };
  const options = { ...rules, treatment, columns };
  const checking = checkRows(table, options);
  let pausedAt = performance.now();
  let step = checking.next();
  for (; !step.done; step = checking.next()) {
    if (performance.now() - pausedAt < PAUSE_EVERY_MS) continue;
    onProgress({ of: "rows", done: step.value, count: loaded.rowCount });
    await pause();
    if (request !== newest) return undefined;
    pausedAt = performance.now();
  }
  last = { table, options, checked: step.value };
  const { transfers: _, ...checked } = last.checked;
  return { loaded, choices, checked };
}

/** Begins to compare the last check. @returns the batches that its rows name, if the file is an export */
function named() {
  comparison = undefined;
  if (!last) return [];
  const { table, options } = last;
  comparison = new OwnComparison({ table, columns: options.columns }, options.contractAddress);
  return comparison.named;
}

function compare(stored: readonly StoredBatch[]): void {
  for (const batch of stored) comparison?.add(batch);
}

/** The last check, with what its rows have paid already. */
function compared(): Checked | undefined {
  if (!last || !comparison) return undefined;
  last = { ...last, checked: comparison.appliedTo(last.checked) };
  comparison = undefined;
  const { transfers: _, ...checked } = last.checked;
  return checked;
}

const badRows = () => (last ? badRowsCsv(last.table, last.options.columns, last.checked) : "");

/** The transfers of one part of the last check, which found no error. @throws FileProblem */
function rows(part: number): Transfer[] {
  if (!last || last.checked.errors.length > 0 || last.checked.questions.length > 0)
    throw new FileProblem("The rows have changed. Go back and check them again.");
  const { parts, transfers } = last.checked;
  const start = parts.slice(0, part).reduce((sum, { count }) => sum + count, 0);
  return transfers.slice(start, start + parts[part]!.count);
}

const addresses = async ({ source, name }: Pick<GivenFile, "source" | "name">) =>
  readAddresses(typeof source === "string" ? source : await readContent(source), name);

const calls = { check, named, compare, compared, badRows, rows, addresses };
export type Calls = typeof calls;

interface Asked {
  ask: number;
  name: keyof Calls;
  given: never;
}
type Answer = { value: unknown } | { refused: string } | { progress: Progress };
export type Answered = { ask: number } & Answer;

self.onmessage = async ({ data: { ask, name, given } }: MessageEvent<Asked>) => {
  const reply = (answer: Answer) => self.postMessage({ ask, ...answer });
  try {
    reply({ value: await calls[name](given, (progress) => reply({ progress })) });
  } catch (error) {
    const isKnown = error instanceof FileProblem;
    if (!isKnown) console.error(error);
    reply({ refused: isKnown ? error.message : "Could not read the file. Try again." });
  }
};
