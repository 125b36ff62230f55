import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import type { z } from "zod";
import { createDatabase, type Database } from "@/db/client";
import { startEmbeddedPostgres } from "@/db/embedded/start-embedded";
import { isLocked } from "@/db/named-lock.mjs";
import { TOKEN_SCOPES, type TokenScope } from "@/server/auth/tokens";
import type { ServiceContext } from "@/server/kernel/context";
import {
  awayReason,
  isDatabaseUnavailable,
  isOutcomeUnknown,
  isReadOnly,
  postgresError,
  refusalByPostgres,
  withoutStatement,
  workerFailure,
} from "@/server/kernel/database-errors";
import { SettingsError, settings } from "@/server/kernel/settings";
import type { LedgerReport } from "@/server/ledger/run-check";
import { UUID_PATTERN } from "@/terms/batch-terms";
import { AddressField, LabelField, parseInstant } from "@/terms/fields";
import { isPoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";

const POOL_MAX = 2;
/** A full ledger check is one long statement. */
export const STATEMENT_SECONDS_MAX = 900;

/** @param target the same database, as migrations connect to it */
type Use<T> = (db: Database, target: { url: string; timeoutSeconds: number }) => Promise<T>;

/** For one command: DATABASE_URL, or the embedded one, started and stopped unless the service runs it. */
export async function withDatabase<T>(
  use: Use<T>,
  given = settings().DATABASE_URL,
  statementSecondsMax = STATEMENT_SECONDS_MAX,
): Promise<T> {
  const { DATABASE_POOLER, DATABASE_TIMEOUT_SECONDS, DATA_DIR } = settings();
  const starting = given ? null : startEmbeddedPostgres({ dataDir: DATA_DIR });
  let db: Database | undefined;
  const end = async () => {
    const embedded = await starting?.catch(() => null);
    await db?.close();
    // A service that started in the meantime has taken over this server.
    await embedded?.release(() => isLocked("data", DATA_DIR));
  };
  let ending: Promise<void> | undefined;
  const endOnce = () => (ending ??= end());
  // An interrupted command leaves no Postgres and no half-written file behind.
  const onSignal = (signal: NodeJS.Signals) => {
    process.stderr.write(`Stopped by ${signal}.\n`);
    const exit = () => process.exit(signal === "SIGINT" ? 130 : 143);
    if (!starting) exit();
    void endOnce().finally(exit);
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  const startedAt = performance.now();
  const working = setInterval(() => showProgress(`Working for ${secondsSince(startedAt)} s`), TELL_EVERY_MS);
  try {
    const target = { url: given ?? (await starting!).url, timeoutSeconds: DATABASE_TIMEOUT_SECONDS };
    db = createDatabase({ ...target, poolMax: POOL_MAX, pooler: DATABASE_POOLER, statementSecondsMax });
    return await use(db, target);
  } finally {
    clearInterval(working);
    await endOnce();
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

const TELL_EVERY_MS = 5000;
const secondsSince = (ms: number) => Math.round((performance.now() - ms) / 1000);

/** For people. Programs read the JSON result. */
export function showProgress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${what} …\n`);
}

/** The same, connecting as the role that may change the schema (DATABASE_MIGRATION_URL, if set). */
export const withOwnedDatabase = <T>(use: Use<T>, statementSecondsMax?: number): Promise<T> =>
  withDatabase(use, settings().DATABASE_MIGRATION_URL ?? settings().DATABASE_URL, statementSecondsMax);

export const opsContext = (db: Database): ServiceContext => ({ db, actor: "ops", requestId: randomUUID() });

const checked =
  <Schema extends z.ZodType>(schema: Schema) =>
  (value: string): z.output<Schema> => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]!.message);
    return parsed.data;
  };

export const address = checked(AddressField);
export const label = checked(LabelField);

export const idOf = (what: string) => (value: string) => {
  if (!UUID_PATTERN.test(value)) throw new InvalidArgumentError(`must be the ID of ${what}`);
  return value;
};

export const wholeNumber = (least: number, most: number) => (value: string) => {
  const number = /^\d{1,7}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`);
};

export function amount(value: string): string {
  if (!isPoints(value)) throw new InvalidArgumentError("must be a decimal string such as 1000 or 0.5");
  return value;
}

export function scopes(value: string): TokenScope[] {
  const names = value.split(/[ ,]+/).filter(Boolean);
  const unknown = names.find((name) => !TOKEN_SCOPES.includes(name as TokenScope));
  if (names.length === 0 || unknown)
    throw new InvalidArgumentError(`must be a comma-separated list of ${TOKEN_SCOPES.join(", ")}`);
  return names as TokenScope[];
}

/** Accepts an ISO 8601 time or a duration such as `90d` or `12h`. Returns RFC 3339. */
export function expiry(value: string): string {
  const span = /^(\d{1,5})([dh])$/.exec(value);
  const ms = span
    ? Date.now() + Number(span[1]) * (span[2] === "d" ? 86_400_000 : 3_600_000)
    : parseInstant(value);
  if (ms === null || ms <= Date.now())
    throw new InvalidArgumentError(
      "must be in the future: an ISO 8601 time, or a duration such as 90d or 12h",
    );
  return new Date(ms).toISOString();
}

export function email(value: string): string {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) || value.length > 320)
    throw new InvalidArgumentError("must be an email address");
  return value.toLowerCase();
}

/** The result of a command: text for people, an object for programs (`--json`). */
export interface CommandResult {
  text: string;
  json: unknown;
  /** 0 when absent. */
  exitCode?: number;
  /** Where standard output carries the data. */
  toStandardError?: boolean;
  /** What to do if the text, which is shown only once, cannot be written. */
  ifUnwritten?: string;
}

/** Runs a command, prints its result, and turns every failure into one clear line on standard error. */
export function action<Arguments extends unknown[]>(run: (...given: Arguments) => Promise<CommandResult>) {
  return async (...given: [...Arguments, Command]) => {
    const command = given.at(-1) as Command;
    try {
      const result = await run(...(given.slice(0, -1) as unknown as Arguments));
      const asJson = command.optsWithGlobals().json === true;
      const out = result.toStandardError ? process.stderr : process.stdout;
      process.exitCode = result.exitCode ?? 0;
      out.write(`${asJson ? JSON.stringify(result.json) : result.text}\n`, (error) => {
        // A reader such as `head` may close the pipe, unless it would miss what is shown only once.
        if (!error || ((error as NodeJS.ErrnoException).code === "EPIPE" && !result.ifUnwritten)) return;
        process.stderr.write(`Done, but the result cannot be written: ${error.message}.\n`);
        if (result.ifUnwritten) process.stderr.write(`${result.ifUnwritten}\n`);
        process.exitCode = 1;
      });
    } catch (error) {
      process.stderr.write(`${failureLine(error)}\n`);
      process.exitCode = 1;
    }
  };
}

/** The same for a command on the database, whether or not the service is running. */
export const onDatabase = <Options>(run: (ctx: ServiceContext, options: Options) => Promise<CommandResult>) =>
  action((options: Options) => withDatabase((db) => run(opsContext(db), options)));

const LOOK_AGAIN_MS = 500;

/** Repeats a step until it has a result: the running service may have begun the same work. */
export async function untilDone<T>(step: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const done = await step();
    if (done) return done;
    await sleep(LOOK_AGAIN_MS);
  }
}

const CHECK_SERVER = "Check DATABASE_URL and that the server is running.";
const CHECK_OUTCOME = "If the command changes something, check whether it was applied before you repeat it.";

/** The reason in one line. For a failed statement, Postgres' message without the statement. */
export function failureLine(error: unknown): string {
  if (error instanceof DomainError || error instanceof SettingsError) return error.message;
  const refusal = refusalByPostgres(error);
  if (refusal) return refusal;
  if (isReadOnly(error))
    return (
      "The database is read-only, like a replica or a former primary. " +
      "Check that DATABASE_URL leads to the primary, or run doctor."
    );
  if (isDatabaseUnavailable(error)) {
    const isFull = postgresError(error)?.code === "53300";
    const check = isFull ? "Raise that limit, or end other connections." : CHECK_SERVER;
    const hint = isOutcomeUnknown(error) ? `${check} ${CHECK_OUTCOME}` : check;
    return workerFailure(error) ?? `The database is not responding: ${awayReason(error)}. ${hint}`;
  }
  if (postgresError(error)?.code === "42P01")
    return "The database has no tables yet. Run `npm run -s ops -- migrate`.";
  const said = withoutStatement(error);
  return said instanceof Error ? said.message.split("\n")[0]! : "The command failed.";
}

export function ledgerVerdict({ ok, batches, transfers, accounts, findings }: LedgerReport): string {
  const size = `${batches} batches, ${transfers} transfers, ${accounts} accounts`;
  if (ok) return `The ledger balances: ${size}.`;
  const lines = findings.map(({ rule, detail }) => `  ${rule}: ${detail}`);
  return [`The ledger does not balance (${size}):`, ...lines].join("\n");
}
