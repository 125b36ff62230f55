import type { Command } from "commander";
import { checkLedger } from "@/server/ledger/run-check";
import { restoreBackup } from "../backup/restore-backup";
import { recordBackup, streamBackup, writeBackup } from "../backup/write-backup";
import { settings } from "../kernel/settings";
import { action, ledgerVerdict, opsContext, withDatabase, withOwnedDatabase } from "./command";

/** `backup`, `restore`. */
export function addBackupCommands(program: Command): void {
  program
    .command("backup")
    .description("write a consistent snapshot of the database to a new file, while the service runs")
    .requiredOption("--to <file>", "a file that does not exist yet, or - for standard output")
    .action(action(backup));
  program
    .command("restore")
    .description(
      "restore a backup into an empty database and verify its ledger; exits with 1 on any difference",
    )
    .requiredOption("--from <file>", "a file written by `backup`")
    .action(action(restore));
}

async function backup({ to }: { to: string }) {
  const toStandardOutput = to === "-";
  const written = await withDatabase(async (db) => {
    const made = await (toStandardOutput ? streamBackup(db, process.stdout) : writeBackup(db, to));
    // A standby, or a role that may only read, cannot keep it.
    const isRecorded = await recordBackup(opsContext(db), made).then(
      () => true,
      () => false,
    );
    return { ...made, isRecorded };
  });
  const { tables, rows, takenAt, isRecorded } = written;
  return {
    text: `Wrote ${rows} rows from ${tables} tables to ${toStandardOutput ? "standard output" : to}, as of ${takenAt}. The file contains password and token hashes. Protect it like the database.${isRecorded ? "" : " It could not be recorded in the audit log."}`,
    json: { file: to, ...written },
    toStandardError: toStandardOutput,
  };
}

async function restore({ from }: { from: string }) {
  const { DATABASE_TIMEOUT_SECONDS } = settings();
  const { restored, report } = await withOwnedDatabase(async (db, url) => ({
    restored: await restoreBackup({ db, url, timeoutSeconds: DATABASE_TIMEOUT_SECONDS }, from),
    report: await checkLedger(db),
  }));
  const { rows, tables, takenAt } = restored;
  return {
    text: `Restored ${rows} rows into ${tables} tables, as of ${takenAt}. ${ledgerVerdict(report)}`,
    json: { ...restored, ledger: report },
    exitCode: report.ok ? 0 : 1,
  };
}
