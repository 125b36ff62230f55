import { writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { badRowsCsv } from "../../server/batches/file/check-rows.ts";
import { counted, csvLine, formatAmount, formatCount } from "../../server/kernel/values/output-text.ts";
import { formatPoints, sumPoints } from "../../server/kernel/values/points.ts";
import type { Client } from "../src/create-client.ts";
import type { BatchStatus, PointType } from "../src/shapes.ts";
import { type PayoutFunds, type PayoutPart, planPayout } from "../src/submit-all.ts";
import { type FileOptions, faultsOf, type ReadPayout, readPayout, withFileOptions } from "./read-file.ts";
import {
  clientOf,
  contractOf,
  DEFAULT_LIMITS,
  optionsOf,
  readLimits,
  type ServiceOptions,
  urlOf,
} from "./service.ts";
import { confirmed, EXIT, Failure, failureOf, Progress, print, timeText } from "./terminal.ts";

interface PayOptions extends FileOptions, ServiceOptions {
  reference?: string;
  secondsToFinalize?: number;
  dryRun?: boolean;
  yes?: boolean;
  wait?: boolean;
  report?: string;
}

/** For a restart of the service in the middle of a payout. */
const TOTAL_TIMEOUT_MS = 120_000;

const wholeNumber = (text: string) => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
};

export function addFileCommands(program: Command, signal: AbortSignal): void {
  withFileOptions(program.command("check <file>"))
    .description(
      "Check a CSV, TSV or XLSX file as the console's New batch does. Sends nothing, and needs no token.",
    )
    .option("--report <file>", "write the rows with errors as CSV")
    .addHelpText(
      "after",
      "\nWithout --url, the default limits apply.\n\nExample:\n  point-batches check payout.csv --type PHASE2_POINTS",
    )
    .action(async (path: string, _: object, command: Command) => {
      const options = optionsOf<FileOptions & { report?: string }>(command);
      const limits = options.url ? await readLimits(urlOf(options), signal) : DEFAULT_LIMITS;
      const read = await readPayout(path, options, limits);
      const { name, table, columns, checked } = read;
      if (options.report) writeReport(options.report, badRowsCsv(table, columns, checked));
      const faults = faultsOf(read, options);
      if (faults) throw new Failure(EXIT.badInput, faults, factsOf(read));
      print(options.json, { success: true, ...factsOf(read) }, () =>
        [`${name}: ${summaryOf(checked, options.type)}. No errors.`, ...checked.notes].join("\n"),
      );
    });

  withFileOptions(program.command("pay <file>"))
    .description("Pay a file of any length: split, dry-run, ask, submit, and verify what was stored.")
    .option("--reference <text>", "begins every batch ID; derived from the rows when absent")
    .option(
      "--seconds-to-finalize <n>",
      "how long the batches wait; the service's default when absent",
      wholeNumber,
    )
    .option("--dry-run", "stop after the dry runs")
    .option("-y, --yes", "send without asking")
    .option("--wait", "wait until every batch is finalized")
    .option(
      "--report <file>",
      "write the batches and their states, as JSON if the name ends with .json, otherwise as CSV",
    )
    .addHelpText(
      "after",
      `
The same rows always become the same batch IDs, so a command that is repeated sends only what is missing.
To pay the same rows once more, give them another --reference.

Examples:
  point-batches pay payout.csv --type PHASE2_POINTS --dry-run
  point-batches pay payout.xlsx --type PHASE2_GOLD --reference 2026-12 --yes --wait --report paid.csv`,
    )
    .action((path: string, _: object, command: Command) => pay(path, optionsOf<PayOptions>(command), signal));
}

const summaryOf = ({ transferCount, points, parts }: ReadPayout["checked"], type: PointType) =>
  `${counted(transferCount, "transfer", "transfers")}, ${formatAmount(points)} ${type}, in ${counted(parts.length, "batch", "batches")}`;

/** For `--json`. */
function factsOf({ name, checked }: ReadPayout) {
  const { transfers: _, parts, errors, readings, ...facts } = checked;
  const shown = errors.map(({ message, ...error }) => ({ ...error, reason: message }));
  const { rowCount, badRows, transferCount, points, chosenFormat, questions, notes } = facts;
  const counts = { rowCount, badRows, transferCount, points, batchCount: parts.length };
  return {
    file: name,
    ...counts,
    numberFormat: chosenFormat,
    questions,
    ...(questions.includes("format") && { readings }),
    notes,
    errors: shown,
  };
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new Failure(EXIT.badInput, `Cannot write the report: ${(error as Error).message}`);
  }
}

async function pay(path: string, options: PayOptions, signal: AbortSignal): Promise<void> {
  const progress = new Progress();
  const client = clientOf(options, TOTAL_TIMEOUT_MS, progress);
  const contract = contractOf(options);
  const limits = await readLimits(urlOf(options), signal);
  const read = await readPayout(path, options, limits);
  const faults = faultsOf(read, options);
  if (faults) throw new Failure(EXIT.badInput, faults, factsOf(read));
  const { type: pointType, secondsToFinalize, reference } = options;
  const { transfers } = read.checked;
  const terms = { pointType, transfers, ...(secondsToFinalize !== undefined && { secondsToFinalize }) };
  const { transfersMax } = limits;
  const parts = await planPayout(contract, terms, { reference, transfersMax });
  const statuses = new Map<string, BatchStatus>();
  try {
    await client.submitAll(parts, {
      signal,
      onPart: ({ state }) => {
        if (state === "ready" || (state === "stored" && parts.some((part) => part.state === "planned")))
          return progress.show(
            "Checking",
            parts.filter((part) => part.state !== "planned").length,
            parts.length,
          );
        const done = parts.filter((part) => (state === "verified" ? part.state === state : isStored(part)));
        progress.show(state === "verified" ? "Verifying" : "Sending", done.length, parts.length);
      },
      confirm: (funds) => {
        progress.clear();
        return confirmPayout(read, parts, funds, options, signal);
      },
    });
    if (options.wait && parts.every(isStored)) await waitForAll(client, parts, statuses, progress, signal);
  } catch (error) {
    throw stopped(error, parts, read);
  } finally {
    progress.clear();
    if (options.report) writeReport(options.report, reportText(options.report, parts, statuses, pointType));
  }
  const result = { success: true, ...resultOf(parts, statuses, read) };
  print(options.json, result, () => doneText(parts, statuses, options));
}

const isStored = ({ state }: PayoutPart) => state === "stored" || state === "verified";
const isInDoubt = ({ state }: PayoutPart) => state === "sending";

function idsText(parts: readonly PayoutPart[]): string {
  const [first, last] = [parts[0]!.batchId, parts.at(-1)!.batchId];
  return first === last ? `ID ${first}` : `IDs ${first} to ${last}`;
}

/** @returns whether to send @throws Failure when the person declines */
async function confirmPayout(
  read: ReadPayout,
  parts: readonly PayoutPart[],
  { available, needed, issued }: PayoutFunds,
  options: PayOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { type, json, yes, dryRun } = options;
  const before = parts.filter(isStored).length;
  const lines = [
    `${read.name}: ${summaryOf(read.checked, type)}`,
    ...read.checked.notes,
    `From ${contractOf(options)} at ${urlOf(options)}`,
    `Available ${formatAmount(available)}, needed ${formatAmount(needed)}${issued === "0" ? "" : `, of which ${formatAmount(issued)} would be issued`}`,
    before > 0 &&
      `${formatCount(before)} of ${counted(parts.length, "batch is", "batches are")} already stored, and not sent again`,
    `Due ${timeText(parts.find(({ finalizeAt }) => finalizeAt)!.finalizeAt!)}`,
    idsText(parts),
  ];
  if (!json) process.stderr.write(`${lines.filter((line) => line !== false).join("\n")}\n`);
  if (dryRun) return false;
  if (yes) return true;
  const people = counted(read.checked.transferCount, "recipient", "recipients");
  if (await confirmed(`Send ${formatAmount(needed)} ${type} of ${people}?`, signal)) return true;
  throw new Failure(EXIT.stopped, "Not confirmed.");
}

async function waitForAll(
  client: Client,
  parts: readonly PayoutPart[],
  statuses: Map<string, BatchStatus>,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  for (const { batchId } of parts) {
    progress.show("Waiting", statuses.size, parts.length);
    statuses.set(batchId, (await client.waitUntilFinalized(batchId, { signal })).status);
  }
}

/** What is stored, what is not, and how to continue. */
function stopped(error: unknown, parts: readonly PayoutPart[], read: ReadPayout): Failure {
  const failure = failureOf(error);
  const stored = parts.filter(isStored);
  const doubtful = parts.filter(isInDoubt);
  const all = counted(parts.length, "batch", "batches");
  const lines = [failure.message];
  const isPartly = stored.length + doubtful.length > 0 && stored.length < parts.length;
  if (stored.length === parts.length) lines.push(`${all} stored. To verify them again, repeat the command.`);
  else if (!isPartly) lines.push("Nothing was sent.");
  else {
    const rest = parts.length - stored.length - doubtful.length;
    const doubt = doubtful.length > 0 ? `, ${formatCount(doubtful.length)} may be stored` : "";
    lines.push(
      `${formatCount(stored.length)} of ${all} are stored${doubt}, ${formatCount(rest)} were not sent.`,
      "To continue, repeat the command. It sends only what is missing:",
      `  ${commandLine()}`,
      "To cancel what is stored, while it is PENDING:",
      `  point-batches cancel ${[...stored, ...doubtful].map(({ batchId }) => batchId).join(" ")}`,
    );
  }
  const facts = { ...failure.facts, ...resultOf(parts, new Map(), read) };
  return new Failure(isPartly ? EXIT.partlySent : failure.exitCode, lines.join("\n"), facts);
}

const commandLine = () =>
  ["point-batches", ...process.argv.slice(2)]
    .map((word) => (/^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");

function doneText(
  parts: readonly PayoutPart[],
  statuses: Map<string, BatchStatus>,
  { dryRun }: PayOptions,
): string {
  const all = counted(parts.length, "batch", "batches");
  if (!parts.every(isStored))
    return dryRun ? `Dry run of ${all} passed. Nothing was sent.` : "Nothing was sent.";
  const before = parts.filter(({ replayed }) => replayed).length;
  if (before === parts.length && statuses.size === 0)
    return [
      `${all} stored before. Nothing was sent.`,
      idsText(parts),
      "To pay the same rows once more, give them a --reference of their own.",
    ].join("\n");
  const earlier = before > 0 ? `, ${formatCount(before)} of them before` : "";
  const ending = statuses.size > 0 ? "stored, verified and finalized" : "stored and verified";
  return `${all} ${ending}${earlier}.\n${idsText(parts)}`;
}

const rowsOf = (parts: readonly PayoutPart[], statuses: Map<string, BatchStatus>) =>
  parts.map(({ batchId, batch, points, state, finalizeAt, digest, replayed }) => {
    const status = statuses.get(batchId) ?? null;
    return {
      batchId,
      state,
      status,
      replayed,
      transferCount: batch.transfers.length,
      points,
      finalizeAt,
      digest,
    };
  });

function resultOf(
  parts: readonly PayoutPart[],
  statuses: Map<string, BatchStatus>,
  { name, checked }: ReadPayout,
) {
  const storedPoints = formatPoints(sumPoints(parts.filter(isStored).map(({ points }) => points)));
  const { transferCount, points } = checked;
  const batches = rowsOf(parts, statuses);
  return { file: name, transferCount, points, storedPoints, batchCount: parts.length, batches };
}

function reportText(
  path: string,
  parts: readonly PayoutPart[],
  statuses: Map<string, BatchStatus>,
  type: PointType,
) {
  const rows = rowsOf(parts, statuses).map((row) => ({ ...row, pointType: type }));
  if (/\.json$/i.test(path)) return `${JSON.stringify(rows, null, 2)}\n`;
  const lines = rows.map((row) => csvLine(Object.values(row).map((cell) => String(cell ?? ""))));
  return csvLine(Object.keys(rows[0]!)) + lines.join("");
}
