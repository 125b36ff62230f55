import type { Command } from "commander";
import {
  isDatabaseUnavailable,
  isReadOnly,
  postgresError,
  refusalByPostgres,
} from "../kernel/database-errors";
import { SettingsError } from "../kernel/settings";
import { DomainError } from "../kernel/values/problems";
import type { LedgerReport } from "../ledger/check-ledger";

/** The result of a command: text for people, an object for programs (`--json`). */
export interface CommandResult {
  text: string;
  json: unknown;
  /** 0 when absent. */
  exitCode?: number;
}

/** Runs a command, prints its result, and turns every failure into one clear line on standard error. */
export function action<Arguments extends unknown[]>(run: (...given: Arguments) => Promise<CommandResult>) {
  return async (...given: [...Arguments, Command]) => {
    const command = given.at(-1) as Command;
    try {
      const result = await run(...(given.slice(0, -1) as unknown as Arguments));
      const asJson = command.optsWithGlobals().json === true;
      process.stdout.write(`${asJson ? JSON.stringify(result.json) : result.text}\n`);
      process.exitCode = result.exitCode ?? 0;
    } catch (error) {
      process.stderr.write(`${failureLine(error)}\n`);
      process.exitCode = 1;
    }
  };
}

/** The reason in one line. For a failed statement, Postgres' message without the statement. */
export function failureLine(error: unknown): string {
  if (error instanceof DomainError || error instanceof SettingsError) return error.message;
  const refusal = refusalByPostgres(error);
  if (refusal) return `${refusal} Check DATABASE_URL.`;
  if (isReadOnly(error))
    return "The database is read-only, like a replica or a former primary. Check that DATABASE_URL leads to the primary.";
  if (isDatabaseUnavailable(error)) {
    const worker = postgresError(error)?.worker;
    if (worker) return `Worker ${worker} is not responding. Check that it is running.`;
    return "The database is not responding. Check DATABASE_URL and that the server is running.";
  }
  if (postgresError(error)?.code === "42P01")
    return "The database has no tables yet. Run `npm run -s ops -- migrate`.";
  return error instanceof Error ? error.message.split("\n")[0]! : "The command failed.";
}

/** A ledger check's result, with every difference on a line of its own. */
export function ledgerVerdict({ ok, reach, batches, transfers, accounts, findings }: LedgerReport): string {
  const prefix = reach === "incremental" ? "checked " : "";
  const size = `${prefix}${batches} batches, ${transfers} transfers, ${accounts} accounts`;
  if (ok) return `The ledger balances: ${size}.`;
  const lines = findings.map(({ rule, detail }) => `  ${rule}: ${detail}`);
  return [`The ledger does not balance (${size}):`, ...lines].join("\n");
}
