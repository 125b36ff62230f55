import type { Command } from "commander";
import { POINT_TYPES, POINTS_PATTERN } from "../../terms/batch-terms.ts";
import { csvLine } from "../../terms/csv-text.ts";
import { badRowsCsv } from "../../terms/file/check-rows.ts";
import { movedOf } from "../../terms/moved.ts";
import { counted, formatAmount, formatCount } from "../../terms/output-text.ts";
import { formatPoints, parseSum, sumPoints } from "../../terms/points.ts";
import { ApiProblem, InvalidArgument } from "../src/client-error.ts";
import type { Client } from "../src/create-client.ts";
import { ifFound } from "../src/payouts.ts";
import type { PointType } from "../src/shapes.ts";
import { PART_PROBLEMS, type PayoutFunds, type PayoutPart, planPayout } from "../src/submit-all.ts";
import { BatchCancelled } from "../src/wait-until-finalized.ts";
import { compareNamed } from "./compare-named.ts";
import { type FileOptions, faultsOf, type ReadPayout, readPayout, withFileOptions } from "./read-file.ts";
import { Report } from "./report.ts";
import {
  addMetadata,
  argument,
  clientIfAny,
  clientOf,
  contractOf,
  DEFAULT_LIMITS,
  optionsOf,
  readLimits,
  type ServiceOptions,
  urlOf,
} from "./service.ts";
import { confirmed, EXIT, Failure, failureOf, Progress, print, say, stopping, timeText } from "./terminal.ts";

interface PayOptions extends FileOptions, ServiceOptions {
  idPrefix?: string;
  secondsToFinalize?: number;
  metadata?: Record<string, string>;
  dryRun?: boolean;
  resendCancelled?: boolean;
  payAgain?: boolean;
  total?: string;
  yes?: boolean;
  wait?: boolean;
  report?: string;
  force?: boolean;
}

/** For a restart of the service in the middle of a payout. */
const TOTAL_TIMEOUT_MS = 120_000;
/** It has every batch: writing it after each answer about 1,500 took three times the CPU of the rest. */
const REPORT_EVERY_MS = 1000;
const ALWAYS_REPORTED_MAX = 100;

/** The last columns of `badRowsCsv`, in its first line. */
const BAD_ROWS_BEGIN = /^.*?(?:^|,)line,reason\r\n/s;
/** `reportText`, as CSV and as JSON. */
const BATCHES_BEGIN = /^(?:batchId,state,|\[\s*\{\s*"batchId":)/;

const wholeNumber = argument(/^\d{1,9}$/, Number, "It must be a whole number.");

/** As it is written or shown. */
const total = (text: string) =>
  argument(POINTS_PATTERN, String, "It must be an amount, such as 1200.5.")(text.replaceAll(/[,_\s]/g, ""));

export function addFileCommands(program: Command, signal: AbortSignal): void {
  withFileOptions(program.command("check <file>"))
    .description(
      "Check a CSV, TSV, XLSX or JSON file as the console's New payout does. Sends nothing, needs no token.",
    )
    .option("--report <file>", "write the rows with errors as CSV")
    .option("--force", "replace the file of --report, also if it is not an earlier report")
    .addHelpText(
      "after",
      `
Files:    CSV and TSV; lists with an address and an amount per line; XLSX and XLSM; JSON, also lists below
          keys
Columns:  found by their content, and of several by their names, such as recipient or wallet; amount, reward
          or points; reference. The result says which were read. In doubt, name them with the options above.
Without --url, the default limits apply.

Example:
  point-batches check payout.csv --type PHASE2_POINTS`,
    )
    .action(async (path: string, _: object, command: Command) => {
      const options = optionsOf<FileOptions & { report?: string; force?: boolean }>(command);
      const report = options.report && new Report(options.report, path, BAD_ROWS_BEGIN, options.force);
      const limits = options.url ? await readLimits(urlOf(options), signal) : DEFAULT_LIMITS;
      const allowed = options.url ? "No errors." : "No errors by the default limits.";
      const progress = new Progress();
      const client = clientIfAny(options, TOTAL_TIMEOUT_MS, progress);
      const own = await readPayout(path, options, limits);
      const read = await compareNamed(own, client, options.contract ?? "", progress, signal);
      const { name, table, columns, checked } = read;
      if (report) report.write(badRowsCsv(table, columns, checked));
      const faults = faultsOf(read, options);
      if (faults) throw new Failure(EXIT.badInput, faults, factsOf(read));
      print(options.json, { success: true, ...factsOf(read) }, () =>
        [`${name}: ${summaryOf(checked, options.type)}. ${allowed}`, ...checked.notes].join("\n"),
      );
    });

  withFileOptions(program.command("pay <file>"))
    .description("Pay a file of any length: split, dry-run, ask, submit, and verify what was stored.")
    .option("--id-prefix <text>", "begins every batch ID; derived from the rows when absent")
    .option("--seconds-to-finalize <n>", "how long the batches wait, if not the default", wholeNumber)
    .option("--metadata <key=value>", "metadata of every batch, repeatable", addMetadata)
    .option("--dry-run", "stop after the dry runs")
    .option("--resend-cancelled", "send the rows of cancelled batches again, under new IDs")
    .option("--pay-again", "with --yes: also send what another batch has paid already")
    .option("-y, --yes", "send without asking, unless a note or the total leaves a doubt")
    .option(
      "--total <points>",
      "what the total is: refuses any other, and sends one in doubt with --yes",
      total,
    )
    .option("--wait", "wait until every batch is finalized")
    .option("--report <file>", "write the batches and their states, as CSV, or as JSON to a .json file")
    .option("--force", "replace the file of --report, also if it is not an earlier report")
    .addHelpText(
      "after",
      `
The same rows always become the same batch IDs, so a command that is repeated sends only what is missing.
To pay the same rows once more, give them another --id-prefix. A changed file would be another payment: give
each payout its own --id-prefix, so that a change of what is stored is refused, and only what is added is
paid, or each row a reference.

Examples:
  point-batches pay payout.csv --type PHASE2_POINTS --dry-run
  point-batches pay payout.csv --type PHASE2_POINTS --seconds-to-finalize 60 --wait
  point-batches pay payout.xlsx --type PHASE2_GOLD --id-prefix 2026-12 --yes --wait --report paid.csv`,
    )
    .action((path: string, _: object, command: Command) => pay(path, optionsOf<PayOptions>(command), signal));
}

const summaryOf = ({ transferCount, points, parts }: ReadPayout["checked"], type: PointType) =>
  `${counted(transferCount, "transfer", "transfers")}, ${formatAmount(points)} ${type}, ` +
  `in ${counted(parts.length, "batch", "batches")}`;

/** For `--json`. */
function factsOf({ name, checked }: ReadPayout) {
  const { rowCount, badRows, transferCount, points, questions, notes, doubts, readings, paidAlready } =
    checked;
  const counts = {
    rowCount,
    badRows,
    transferCount,
    points,
    paidAlready: paidAlready?.count ?? 0,
    batchCount: checked.parts.length,
  };
  const choices = questions.includes("format") ? { readings } : { numberFormat: checked.chosenFormat };
  const errors = checked.errors.map(({ message: reason, ...error }) => ({ ...error, reason }));
  return { file: name, ...counts, questions, ...choices, notes, doubts, errors };
}

async function pay(path: string, options: PayOptions, signal: AbortSignal): Promise<void> {
  const { type: pointType, secondsToFinalize, metadata, idPrefix, wait, resendCancelled } = options;
  const report = options.report && new Report(options.report, path, BATCHES_BEGIN, options.force);
  const progress = new Progress();
  const client = clientOf(options, TOTAL_TIMEOUT_MS, progress);
  const limits = await readLimits(urlOf(options), signal);
  const own = await readPayout(path, options, limits);
  const read = await compareNamed(own, client, contractOf(options), progress, signal);
  const faults = faultsOf(read, options);
  if (faults) throw new Failure(EXIT.badInput, faults, factsOf(read));
  const terms = { pointType, transfers: read.checked.transfers, secondsToFinalize, metadata };
  const { transfersMax } = limits;
  const parts = await planPayout(contractOf(options), terms, { idPrefix, transfersMax });
  const payout: Payout = { read, parts, options };
  const count = (of: (part: PayoutPart) => boolean) => parts.filter(of).length;
  const show = (verb: string, done: number) => progress.show(verb, done, parts.length);
  // Before the first submit, so that a report that cannot be written stops nothing midway.
  if (report) report.prepare();
  let unwritten: unknown = null;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const isReportDue = () =>
    parts.length <= ALWAYS_REPORTED_MAX || performance.now() - writtenAt > REPORT_EVERY_MS;
  const writeReport = () => {
    writtenAt = performance.now();
    const isKnown = count(({ state }) => state === "planned") === 0;
    if (!report || !(isKnown || report.isNew)) return;
    try {
      report.write(reportText(report.path, payout));
      unwritten = null;
    } catch (error) {
      unwritten = error;
    }
  };
  stopping.failure = () => {
    writeReport();
    return stopped(signal.reason, payout);
  };
  try {
    await client.submitAll(parts, {
      signal,
      resendCancelled,
      onPart: ({ state }) => {
        const unchecked = count((part) => part.state === "planned");
        if (unchecked === 0 && isReportDue()) writeReport();
        if (unchecked > 0 || state === "ready") show("Checking", parts.length - unchecked);
        else if (state === "verified") show("Verifying", count(isVerified));
        else show("Sending", count(isStored));
      },
      confirm: (funds) => {
        progress.clear();
        return confirmPayout(payout, funds, client, signal);
      },
    });
    writeReport();
    for (const part of wait && parts.every(isStored) ? parts : []) {
      if (isFinalized(part) || isAwaiting(part)) continue;
      show(`Due ${timeText(part.finalizeAt!)}. Waiting`, count(isFinalized));
      part.status = (await client.waitUntilFinalized(part.batchId, { signal })).status;
      await readStatuses(client, parts, signal);
      if (isReportDue()) writeReport();
    }
    if (wait && parts.some(isAwaiting)) throw new Failure(EXIT.partlySent, dueText(parts));
  } catch (error) {
    const cancelled =
      error instanceof BatchCancelled && parts.find(({ batchId }) => batchId === error.batchId);
    if (cancelled) cancelled.status = "CANCELLED";
    writeReport();
    throw withReport(stopped(error, payout), unwritten);
  } finally {
    progress.clear();
  }
  writeReport();
  if (unwritten) throw withReport(new Failure(EXIT.badInput, doneText(payout), resultOf(payout)), unwritten);
  print(options.json, { success: true, ...resultOf(payout) }, () => doneText(payout));
}

/** The ID of the payout that `pay` made of a file without further options. @throws Failure */
export async function payoutIdOf(
  path: string,
  options: ServiceOptions,
  client: Client,
  signal: AbortSignal,
): Promise<string> {
  const limits = await readLimits(urlOf(options), signal);
  const ids: string[] = [];
  for (const type of POINT_TYPES) {
    const read = await readPayout(path, { ...options, type }, limits).catch(() => null);
    if (!read || faultsOf(read, { type })) continue;
    const terms = { pointType: type, transfers: read.checked.transfers };
    const id = (await planPayout(contractOf(options), terms, limits))[0]?.batch.payoutId;
    if (id && (await ifFound(client.getPayout(id, { signal })))) ids.push(id);
  }
  const [id, another] = ids;
  if (id && !another) return id;
  throw new Failure(
    EXIT.refused,
    another
      ? `${path} was paid in points and in gold. Give the payout's ID instead: ${ids.join(" or ")}.`
      : `No payout was made of ${path} without further options. If it was paid with --id-prefix or other ` +
          "options, give the payout's ID, which `pay` printed: what the IDs of its batches begin with.",
  );
}

/** The states of all parts, so that those that are finalized need not be awaited one by one. */
async function readStatuses(
  client: Client,
  parts: readonly PayoutPart[],
  signal: AbortSignal,
): Promise<void> {
  if (parts.every(isFinalized)) return;
  // An earlier version of this program stored the parts, without a payout.
  const payout = await ifFound(client.getPayout(parts[0]!.batch.payoutId, { signal }));
  const statuses = new Map(payout?.parts.map(({ id, status }) => [id, status]));
  for (const part of parts) part.status = statuses.get(part.batchId) ?? part.status;
}

/** What became of the batches comes first. */
const withReport = ({ exitCode, message, facts }: Failure, unwritten: unknown) =>
  new Failure(exitCode, unwritten ? `${message}\n${(unwritten as Failure).message}` : message, facts);

interface Payout {
  read: ReadPayout;
  parts: PayoutPart[];
  options: PayOptions;
}

const isStored = (part: PayoutPart) => part.state === "stored" || isVerified(part);
const isVerified = ({ state }: PayoutPart) => state === "verified";
const isFinalized = ({ status }: PayoutPart) => status === "FINALIZED";
const isAwaiting = (part: PayoutPart) => part.awaitingApproval && !isFinalized(part);
/** What another batch has paid already. */
const isAgain = ({ state, sameTransfersAs }: PayoutPart) => state === "ready" && sameTransfersAs !== null;

function idsText(parts: readonly PayoutPart[]): string {
  const resent = parts.map(({ batchId }) => batchId).filter((id) => /\.\d{3,}-\d+$/.test(id));
  const [first, last] = [parts[0]!.batchId, parts.at(-1)!.batchId];
  const range = first === last ? `ID ${first}` : `IDs ${first} to ${last}`;
  return resent.length > 0 ? `${range}, in place of cancelled ones ${resent.join(", ")}` : range;
}

/** When the batches are finalized, as far as that is known. */
function dueText(parts: readonly PayoutPart[]): string {
  const awaiting = parts.filter(isAwaiting).length;
  const due = parts.filter((part) => part.finalizeAt && !isAwaiting(part)).at(-1)?.finalizeAt;
  const batches = counted(awaiting, "batch awaits", "batches await");
  const approval = awaiting > 0 && `${batches} approval by the service's staff before payment`;
  return [approval, due && `Due ${timeText(due)}`].filter(Boolean).join("\n");
}

/** @returns whether to send @throws Failure when the person declines */
async function confirmPayout(
  { read, parts, options }: Payout,
  { available, needed, recipients, issued }: PayoutFunds,
  client: Client,
  signal: AbortSignal,
): Promise<boolean> {
  const { type, json, yes, dryRun, payAgain } = options;
  const { points } = read.checked;
  if (options.total !== undefined && parseSum(options.total) !== parseSum(points))
    throw new Failure(
      EXIT.unsent,
      `The total is ${formatAmount(points)}, not ${formatAmount(options.total)}.`,
    );
  const odd = await oddTotal(points, type, client, signal);
  const doubts = odd ? [...read.checked.doubts, odd] : read.checked.doubts;
  const before = parts.filter(isStored).length;
  const again = parts.filter(isAgain);
  const paidAgain =
    again.length > 0 &&
    `PAID AGAIN: ${formatCount(again.length)} of ${counted(parts.length, "batch has", "batches have")} ` +
      `the same transfers as another, such as ${again[0]!.batchId} as ${again[0]!.sameTransfersAs}.`;
  const issuing = issued === "0" ? "" : `, of which ${formatAmount(issued)} would be issued`;
  const lines = [
    `${read.name}: ${summaryOf(read.checked, type)}`,
    ...read.checked.notes,
    `From ${contractOf(options)} at ${urlOf(options)}`,
    `Available ${formatAmount(available)}, needed ${formatAmount(needed)}${issuing}`,
    before > 0 && `${formatCount(before)} of ${formatCount(parts.length)} batches are already stored`,
    dueText(parts),
    idsText(parts),
    paidAgain,
    odd,
  ];
  if (!json) say(lines.filter((line) => line !== false).join("\n"));
  if (dryRun) return false;
  if (yes && doubts.length > 0 && options.total === undefined)
    throw new Failure(
      EXIT.unsent,
      [...(json ? doubts : []), `If that is what is meant, add --total ${points}.`].join("\n"),
    );
  const paid = read.checked.paidAlready?.text ?? paidAgain;
  if (yes && paid && !payAgain)
    throw new Failure(EXIT.unsent, `${json ? `${paid}\n` : ""}To pay them once more, add --pay-again.`);
  if (yes) return true;
  const people = counted(recipients, "recipient", "recipients");
  if (await confirmed(`Send ${formatAmount(needed)} ${type} to ${people}?`, signal)) return true;
  throw new Failure(EXIT.unsent, "Not confirmed.");
}

/** No list of points has as many. In base units, most have. */
const TOTAL_MAX = parseSum("1000000000000000");
/** By how much base units, or another column, are more than what a contract pays otherwise. */
const TIMES_MAX = 1000n;
const BATCHES_COMPARED = 100;

/** What is odd about the total, if it is; false if not. */
async function oddTotal(points: string, pointType: PointType, client: Client, signal: AbortSignal) {
  const total = parseSum(points);
  if (total > TOTAL_MAX) return `LARGE: the total is above ${formatAmount(formatPoints(TOTAL_MAX))}.`;
  const { batches } = await client.listBatches({ pointType, limit: BATCHES_COMPARED }, { signal });
  const payouts = new Map<string, bigint>();
  for (const { id, status, reverses, points: own } of batches) {
    if (status === "CANCELLED" || reverses !== undefined) continue;
    const payout = id.replace(/\.\d{3,}(?:-\d+)?$/, "");
    payouts.set(payout, (payouts.get(payout) ?? 0n) + parseSum(own));
  }
  const most = [...payouts.values()].reduce((one, other) => (one > other ? one : other), 0n);
  if (most === 0n || total < most * TIMES_MAX) return false;
  return (
    `LARGE: the total is ${formatAmount(String(total / most))} times the largest of the contract's ` +
    `newest ${BATCHES_COMPARED} batches, ${formatAmount(formatPoints(most))}.`
  );
}

/** What is stored, what is not, and how to continue. */
function stopped(error: unknown, payout: Payout): Failure {
  const { parts, options } = payout;
  const { message, exitCode, facts } = failureOf(error);
  const stored = parts.filter(isStored);
  const doubtful = parts.filter(({ state }) => state === "sending");
  const rest = parts.length - stored.length - doubtful.length;
  const all = counted(parts.length, "batch", "batches");
  const isPartly = stored.length + doubtful.length > 0 && stored.length < parts.length;
  const isKnown = parts.every(({ state }) => state !== "planned");
  const differs = error instanceof InvalidArgument;
  // What was refused for its content is refused again.
  const isFinal =
    differs ||
    error instanceof BatchCancelled ||
    (error instanceof ApiProblem && PART_PROBLEMS.includes(error.code));
  const mayPend = [...stored, ...doubtful].filter(({ status }) => status === null || status === "PENDING");
  const counts = [
    `${formatCount(stored.length)} of ${counted(parts.length, "batch is", "batches are")} stored`,
    doubtful.length > 0 && `${formatCount(doubtful.length)} may be stored`,
    `${formatCount(rest)} ${rest === 1 ? "was" : "were"} not ${isKnown ? "sent" : "looked at"}.`,
  ];
  const again = commandLine(process.argv.slice(2));
  const cancel = commandLine(["cancel", parts[0]!.batch.payoutId, ...serviceWords(options)]);
  const partly = isPartly ? counts.filter(Boolean).join(", ") : "This run sent nothing.";
  const lines = [
    message,
    differs && "Cancel what should not be paid, or give this file an --id-prefix of its own.",
    rest + doubtful.length === 0
      ? `${all} stored.${isFinal ? "" : " To verify them again, repeat the command."}`
      : partly,
    isPartly && !isFinal && `To continue, repeat the command. It sends only what is missing:\n  ${again}`,
    isPartly &&
      !differs &&
      mayPend.length > 0 &&
      `To cancel what is stored, as far as it is still PENDING:\n  ${cancel}`,
  ];
  // The other codes of a stop and of silence say that nothing was sent.
  const hasSent = [...stored, ...doubtful].some(({ replayed }) => !replayed);
  const saysUnsent = exitCode === EXIT.noAnswer || exitCode === EXIT.unsent;
  const code = isPartly || (hasSent && saysUnsent) ? EXIT.partlySent : differs ? EXIT.refused : exitCode;
  return new Failure(code, lines.filter(Boolean).join("\n"), { ...facts, ...resultOf(payout) });
}

/** What the shell does not say: another contract may have a payout of the same ID. */
const serviceWords = ({ url = "", contract = "" }: ServiceOptions) => [
  ...(url === process.env.POINT_BATCHES_URL ? [] : ["--url", url]),
  ...(contract === process.env.POINT_BATCHES_CONTRACT ? [] : ["--contract", contract]),
];

/** As it was started: npx finds only what is installed. */
const PROGRAM = process.env.npm_command === "exec" ? "npx --no -- point-batches" : "point-batches";
const commandLine = (words: readonly string[]) =>
  [
    PROGRAM,
    ...words.map((word) => (/^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)),
  ].join(" ");

function doneText({ parts, options: { dryRun } }: Payout): string {
  const all = counted(parts.length, "batch", "batches");
  if (dryRun && !parts.every(isStored)) return `Dry run of ${all} passed. Nothing was sent.`;
  const before = parts.filter(({ replayed }) => replayed).length;
  const [ending, due] = parts.every(isFinalized)
    ? ["stored, verified and finalized", ""]
    : ["stored and verified", `\n${dueText(parts)}`];
  if (before < parts.length) {
    const earlier = before > 0 ? `, ${formatCount(before)} of them by an earlier run` : "";
    return `${all} ${ending}${earlier}.${due}\n${idsText(parts)}`;
  }
  return [
    `${all} ${ending}; an earlier run had sent ${parts.length === 1 ? "it" : "them"}. Nothing was sent.`,
    `${idsText(parts)}${due}`,
    "To pay the same rows once more, give them an --id-prefix of their own.",
  ].join("\n");
}

const rowsOf = ({ parts }: Pick<Payout, "parts">) =>
  parts.map(({ batch: { transfers, pointType }, ...facts }) => ({
    ...facts,
    transferCount: transfers.length,
    pointType,
  }));

function resultOf(payout: Payout) {
  const { name, checked } = payout.read;
  const { transferCount, points, notes } = checked;
  const storedPoints = formatPoints(sumPoints(payout.parts.filter(isStored).map((part) => part.points)));
  const { payoutId } = payout.parts[0]!.batch;
  return { file: name, payoutId, notes, transferCount, points, storedPoints, batches: rowsOf(payout) };
}

/** Of a payout's batches, as JSON or CSV by the name of the file. */
export function reportText(path: string, payout: Pick<Payout, "parts">): string {
  const exportedAt = new Date().toISOString();
  const rows = rowsOf(payout).map((row) => ({ ...row, exportedAt, counted: movedOf(row) }));
  if (/\.json$/i.test(path)) return `${JSON.stringify(rows, null, 2)}\n`;
  const lines = rows.map((row) => csvLine(Object.values(row).map((cell) => String(cell ?? ""))));
  return csvLine(Object.keys(rows[0]!)) + lines.join("");
}
