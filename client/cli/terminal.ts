import { createInterface } from "node:readline/promises";
import { nameOf, shortened } from "../../terms/file/file-words.ts";
import { counted } from "../../terms/output-text.ts";
import { ApiProblem, ClientError, ConnectionFailure, UnexpectedReply } from "../src/client-error.ts";
import { BatchCancelled, BatchOverdue } from "../src/wait-until-finalized.ts";

/** Documented in `--help` (main.ts). */
export const EXIT = {
  done: 0,
  badInput: 1,
  usage: 2,
  refused: 3,
  partlySent: 4,
  noAnswer: 5,
  unsent: 6,
  bug: 70,
} as const;

/** Ends the command. The message says what happened and what to do; `facts` are for `--json`. */
export class Failure extends Error {
  override name = "Failure";

  constructor(
    readonly exitCode: number,
    message: string,
    readonly facts: object = {},
  ) {
    super(message);
  }
}

/** For the `catch` of what opens or reads a file. */
export const cannotRead =
  (path: string) =>
  ({ code, message }: NodeJS.ErrnoException): never => {
    const why = { ENOENT: "No such file", EISDIR: "A folder, not a file" }[code ?? ""] ?? message;
    throw new Failure(EXIT.badInput, `${why}: ${path}`);
  };

/** What moves a cursor, reorders text or starts a new line, in text that another machine or a file wrote. */
const CONTROLS = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;
const LINE_CHARS_MAX = 8_000;
/** Of a message. A result is as long as it was asked to be. */
const LINES_MAX = 5_000;

/** Text from outside, as a part of a line. */
export const shown = (text: string, charsMax = 1_000) =>
  shortened(text, charsMax).replaceAll(CONTROLS, (mark) => `⟨${nameOf(mark)}⟩`);

/** The last line of defence: whatever is written to the terminal passes here. */
export const printable = (text: string): string =>
  text
    .split("\n")
    .map((line) => shown(line, LINE_CHARS_MAX))
    .join("\n");

/** JSON needs no escapes for some of them, but a terminal does. */
const jsonText = (value: unknown) =>
  JSON.stringify(value, null, 2).replaceAll(CONTROLS, (mark) =>
    mark === "\n" ? mark : `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const ERRORS_SHOWN = 5;

/** How the command ends if it is stopped now. Commands that change something say more. */
export const stopping = { failure: () => new Failure(EXIT.unsent, "Stopped.") };

/** What to do about a refusal, beyond what its detail says. */
const HINTS: Partial<Record<ApiProblem["code"], string>> = {
  missing_token: "Set POINT_BATCHES_TOKEN.",
  invalid_token: "Check POINT_BATCHES_TOKEN, or sign in with: point-batches login",
  expired_token: "Use a new token, or sign in again with: point-batches login",
  batch_id_conflict:
    "Use the file and the options of the first run. Under another --id-prefix, every row is paid again.",
  batch_cancelled:
    "To pay the rows of cancelled batches after all, add --resend-cancelled. Nothing else is sent again.",
  contract_not_found: "Check --contract or POINT_BATCHES_CONTRACT.",
  insufficient_points: "Ask the service's staff to grant points, then repeat the command.",
};

/** How a command ends after this error, in words for a person. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ApiProblem) {
    const { code, status, detail, requestId, batchId, errors, errorCount, extra } = error;
    const isAboutIt = batchId !== null && ![401, 403].includes(status) && !detail.includes(batchId);
    const first = errors.slice(0, ERRORS_SHOWN);
    const about = shown(`${code}, request ${requestId}`, 200);
    const lines = [
      `The service refused ${isAboutIt ? batchId : "it"}: ${shown(detail)} (${about})`,
      ...first.map((one) => `  ${shown(`${one.reference ?? one.pointer}: ${one.detail}`)}`),
      errorCount > first.length && `  … and ${errorCount - first.length} more`,
      HINTS[code],
    ];
    const facts = { code, status, requestId, batchId, errors, ...extra };
    return new Failure(EXIT.refused, lines.filter(Boolean).join("\n"), facts);
  }
  if (error instanceof ConnectionFailure || error instanceof UnexpectedReply)
    return new Failure(
      EXIT.noAnswer,
      `${shown(error.message).replace(/\.?$/, ".")} Check --url, and that the service is running.`,
    );
  if (error instanceof BatchCancelled)
    return new Failure(EXIT.refused, `${error.message}\n${HINTS.batch_cancelled}`);
  if (error instanceof BatchOverdue) return new Failure(EXIT.noAnswer, error.message);
  if (error instanceof ClientError) return new Failure(EXIT.usage, error.message);
  return new Failure(EXIT.bug, `This is an error of point-batches itself: ${shown(String(error))}`);
}

/** The result of a command: text for a person, JSON for a program. */
export const print = (json: boolean | undefined, result: unknown, text: () => string) =>
  void process.stdout.write(`${json ? jsonText(result) : printable(text())}\n`);

/** A message, beside the result. */
export const say = (text: string) =>
  void process.stderr.write(`${printable(text.split("\n", LINES_MAX).join("\n"))}\n`);

/** Lines with aligned columns. The last one may be of any length. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => shown(cell)));
  const widthOf = (column: number) => cells.reduce((most, row) => Math.max(most, row[column]!.length), 0);
  const widths = (rows[0] ?? []).map((_, column) => widthOf(column));
  const lineOf = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at]!)).join("  ");
  return cells.map((row) => lineOf(row).trimEnd()).join("\n");
}

/** `2026-01-31 13:00:00 UTC` */
export const timeText = (time: string) => `${time.slice(0, 19).replace("T", " ")} UTC`;

const BAR_CHARS = 24;
const CLEAR_LINE = "\r\u001B[K";

/** A bar on standard error, only when that is a terminal. */
export class Progress {
  #isShown = false;

  show(verb: string, done: number, count: number): void {
    if (!process.stderr.isTTY) return;
    this.#isShown = true;
    const bar = "#".repeat(Math.floor((done / count) * BAR_CHARS)).padEnd(BAR_CHARS, ".");
    const line = `${verb} [${bar}] ${done} of ${counted(count, "batch", "batches")}`;
    process.stderr.write(CLEAR_LINE + shown(line).slice(0, (process.stderr.columns || 80) - 1));
  }

  /** A line that stays. */
  note(text: string): void {
    if (!process.stderr.isTTY) return;
    this.clear();
    say(text);
  }

  clear(): void {
    if (this.#isShown) process.stderr.write(CLEAR_LINE);
    this.#isShown = false;
  }
}

export async function confirmed(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Failure(EXIT.usage, "Nobody can confirm it here, because this is not a terminal. Add --yes.");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.once("SIGINT", () => process.emit("SIGINT"));
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `, { signal })).trim());
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    lines.close();
  }
}
