import { NoStore, savePlan } from "../plan/plan-store";
import { badRowsCsv } from "./bad-rows";
import type { Answered, Asked, Loaded, Reply, Request } from "./check-protocol";
import { type Checked, type CheckOptions, checkRows, transferRows } from "./check-rows";
import { decodeFile, FILE_BYTES_MAX, UnreadableFile } from "./decode-file";
import { findColumns } from "./map-columns";
import { readTable, type Table } from "./read-table";

/** Time between two checks for a newer request. */
const YIELD_EVERY_MS = 30;
const ERRORS_PER_MESSAGE = 2_000;

let table: Table | undefined;
let last: { options: CheckOptions; checked: Checked } | undefined;
let newest = 0;
let loads = 0;

self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  const { ask } = data;
  const reply = (answer: Reply) => self.postMessage({ ...answer, ask } satisfies Answered);
  if (data.kind === "load" || data.kind === "check") newest = ask;
  try {
    await answer(data, ask, reply);
  } catch (error) {
    const isKnown = error instanceof UnreadableFile || error instanceof NoStore;
    if (!isKnown) console.error(error);
    reply({ kind: "refused", message: isKnown ? error.message : "The file could not be read. Try again." });
  }
};

async function answer(request: Request, ask: number, reply: (answer: Reply) => void): Promise<void> {
  switch (request.kind) {
    case "load": {
      const { source } = request;
      const text = typeof source === "string" ? source : await textOf(source);
      if (ask === newest) reply({ kind: "loaded", loaded: load(text, request) });
      return;
    }
    case "check":
      return check(request.options, ask, reply);
    case "bad-rows":
      return reply({
        kind: "bad-rows",
        csv: last && table ? badRowsCsv(table, last.options.columns, last.checked) : "",
      });
    case "save": {
      await savePlan(request.plan, partsToSave());
      return reply({ kind: "saved" });
    }
  }
}

async function textOf(file: File): Promise<string> {
  if (file.size <= FILE_BYTES_MAX) return decodeFile(await file.arrayBuffer());
  throw new UnreadableFile(
    `The file is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB. Split it into smaller files.`,
  );
}

function load(text: string, { name, header }: Extract<Request, { kind: "load" }>): Loaded {
  table = undefined;
  last = undefined;
  const read = readTable(text);
  const columns = findColumns(read, header);
  const rowCount = transferRows(read, columns).length;
  if (rowCount === 0) throw new UnreadableFile("No rows found. Add at least one row.");
  table = read;
  return { number: ++loads, name, rowCount, delimiter: read.delimiter, emptyLines: read.emptyLines, columns };
}

/** Stops without a result once a newer request has arrived. */
async function check(options: CheckOptions, ask: number, reply: (answer: Reply) => void): Promise<void> {
  if (!table) return;
  const total = transferRows(table, options.columns).length;
  const checking = checkRows(table, options);
  let yieldedAt = performance.now();
  let step = checking.next();
  while (!step.done) {
    if (performance.now() - yieldedAt > YIELD_EVERY_MS) {
      reply({ kind: "progress", done: step.value, total });
      await new Promise((resolve) => setTimeout(resolve));
      if (ask !== newest) return;
      yieldedAt = performance.now();
    }
    step = checking.next();
  }
  last = { options, checked: step.value };
  const { errors, ...checked } = step.value;
  for (let at = 0; at < errors.length; at += ERRORS_PER_MESSAGE) {
    reply({ kind: "errors", errors: errors.slice(at, at + ERRORS_PER_MESSAGE) });
  }
  reply({ kind: "checked", checked });
}

function partsToSave() {
  if (!table || !last || last.checked.errors.length > 0)
    throw new UnreadableFile("The rows have changed. Check them again.");
  const { columns, limits } = last.options;
  const rows = transferRows(table, columns).map(({ cells }) => ({
    toAddress: cells[columns.map.toAddress]!,
    points: cells[columns.map.points]!,
  }));
  return last.checked.parts.map((_, part) =>
    rows.slice(part * limits.transfersMax, (part + 1) * limits.transfersMax),
  );
}
