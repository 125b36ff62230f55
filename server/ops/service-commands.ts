import { type Command, Option } from "commander";
import type { Database } from "@/db/client";
import { migrateDatabase, someOf } from "@/db/migrate";
import { restoreBackup } from "@/server/backup/restore-backup";
import { recordBackup, streamBackup, writeBackup } from "@/server/backup/write-backup";
import { type SeededDemo, seedDemo } from "@/server/demo/seed-demo";
import {
  type Distribution,
  distributeTables,
  type PlacedTable,
} from "@/server/distribution/distribute-tables";
import { finalizeDueBatches } from "@/server/finalizer/finalize-due-batches";
import { type ServiceContext, STAFF_ROLES, type StaffRole } from "@/server/kernel/context";
import { settings } from "@/server/kernel/settings";
import { invalid } from "@/server/kernel/to-domain-error";
import { checkLedger, runCheck } from "@/server/ledger/run-check";
import { CHECKS, roundSlices } from "@/server/operations/self-check";
import { renewLink, withAddress } from "@/server/staff/links";
import { createStaff, disablePerson, enablePerson, listStaff } from "@/server/staff/people";
import * as argument from "./command";
import {
  action,
  failureLine,
  ledgerVerdict,
  onDatabase,
  opsContext,
  STATEMENT_SECONDS_MAX,
  showProgress,
  untilDone,
  withDatabase,
  withOwnedDatabase,
} from "./command";
import { examine } from "./doctor";

export function addServiceCommands(program: Command): void {
  const user = program.command("user").description("team members who can sign in to the console");
  const named = (name: string, description: string) =>
    user
      .command(name)
      .description(description)
      .requiredOption("--email <email>", "email address of the team member", argument.email);
  named(
    "reset-password",
    "print a link with which a team member sets a new password; the current one works until then",
  ).action(onDatabase(resetPassword));
  named("disable", "lock a team member out and end their sessions").action(
    changeUser(disablePerson, "cannot sign in any more"),
  );
  named("enable", "let a disabled team member sign in again").action(
    changeUser(enablePerson, "can sign in again"),
  );
  named("create", "add a team member; reads the password from standard input")
    .addOption(
      new Option("--role <role>", "what the team member may do").choices(STAFF_ROLES).makeOptionMandatory(),
    )
    .action(action(createUser));
  program.command("finalize").description("finalize all due batches now").action(onDatabase(finalize));
  program
    .command("verify-ledger")
    .description(
      "recompute every balance from the transfers and record the result; exits with 1 on any difference",
    )
    .action(onDatabase(verifyLedger));
  program
    .command("migrate")
    .description("migrate the database to this version's schema")
    .action(action(migrate));
  program
    .command("doctor")
    .description("check the settings, database, schema and finalizer")
    .action(onDatabase(doctor));
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
  program
    .command("seed-demo")
    .description("fill an empty database with a month of demo contracts, team members and batches")
    .option("--batches <count>", "number of batches", argument.wholeNumber(1, BATCHES_MAX), BATCHES_DEFAULT)
    .option("--add", "add to a database that already contains batches")
    .option("--yes", "allow a production DATABASE_URL")
    .action(action(seed));
  program
    .command("distribute")
    .description("move the tables and their rows to the workers of a Citus cluster; stop the service first")
    .option(
      "--shards <number>",
      "shards per table; cannot be changed later (default: 4 per worker, at least 8)",
      argument.wholeNumber(1, SHARDS_MAX),
    )
    .option("--yes", "continue even if other sessions are connected to the database")
    .action(action(distribute));
}

async function createUser(options: { email: string; role: StaffRole }) {
  const password = (await readStandardInput()).replace(/\r?\n$/, "");
  await withDatabase((db) => createStaff(opsContext(db), { ...options, password }));
  return { text: `Added ${options.email} as ${options.role}.`, json: options };
}

type Email = { email: string };

async function resetPassword(ctx: ServiceContext, { email }: Email) {
  const link = withAddress(await renewLink(ctx, await personOf(ctx, email)));
  return { text: `${link.url}\nThe link works once, until ${link.expiresAt}.`, json: link };
}

const changeUser = (change: typeof disablePerson, said: string) =>
  onDatabase(async (ctx, json: Email) => {
    await change(ctx, await personOf(ctx, json.email));
    return { text: `${json.email} ${said}.`, json };
  });

async function personOf(ctx: ServiceContext, email: string): Promise<{ personId: string }> {
  const person = (await listStaff(ctx)).find((each) => each.email === email);
  if (!person) throw invalid(`No team member has the email ${email}.`);
  return { personId: person.id };
}

async function readStandardInput(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write("Password, then Enter and Ctrl-D: ");
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
  return text;
}

async function finalize({ db }: ServiceContext) {
  const { FINALIZER_BUDGET_SECONDS: budgetSeconds } = settings();
  const run = await finalizeDueBatches(db, { budgetSeconds, startedBy: "ops" });
  const text =
    `Finalized ${run.batchesFinalized} batches with ${run.transfersSettled} transfers. ` +
    `${run.dueLeft} due batches remain.`;
  return { text: run.failure ? `${text}\n${run.failure}` : text, json: run, exitCode: run.failure ? 1 : 0 };
}

async function verifyLedger({ db }: ServiceContext) {
  const options = { startedBy: "ops", secondsMax: STATEMENT_SECONDS_MAX, slices: roundSlices() };
  // Only one check runs at a time, so this one waits for the other.
  const report = await untilDone(() => runCheck(db, { ...options, reach: "whole", checks: CHECKS }));
  return { text: ledgerVerdict(report), json: report, exitCode: report.ok ? 0 : 1 };
}

async function migrate() {
  const { applied } = await withOwnedDatabase((_db, target) => migrateDatabase(target));
  return { text: applied ? `Applied ${applied} migrations.` : "The schema is current.", json: { applied } };
}

async function doctor({ db }: ServiceContext) {
  const findings = await examine(db);
  const ok = findings.every((f) => f.ok);
  const text = findings.map((f) => `${f.ok ? "ok  " : "FAIL"}  ${f.what}: ${f.detail}`).join("\n");
  return { text, json: { ok, findings }, exitCode: ok ? 0 : 1 };
}

/** A large table is copied in one statement. */
const DISTRIBUTE_SECONDS_MAX = 86_400;
const SHARDS_MAX = 1024;

async function distribute({ shards, yes }: { shards?: number; yes?: true }) {
  const options = { ...(shards && { shards }), requireAlone: !yes, onTable: showProgress };
  const done = await withOwnedDatabase((db) => distributeTables(db, options), DISTRIBUTE_SECONDS_MAX);
  return { text: reportOf(done), json: done };
}

function reportOf({ workers, shards, tables, settings, forAdministrator }: Distribution): string {
  const lines = [
    `${workers.length} workers (${workers.join(", ")}) hold ${shards} shards of each distributed table.`,
    ...tables.map(tableLine),
    ...settings.map((setting) => `  ${setting}`),
  ];
  if (forAdministrator.length > 0)
    lines.push(`As an administrator, run this on the coordinator: ${forAdministrator.join("; ")};`);
  const isNew = tables.some(({ seconds }) => seconds !== null);
  lines.push(
    isNew ? "Start the service again. Its settings stay the same." : "Every table was already in place.",
  );
  return lines.join("\n");
}

function tableLine({ table, by, seconds }: PlacedTable): string {
  const how = by === null ? "not distributed, commits with the shards" : `by ${by}`;
  const time = seconds === null ? "unchanged" : `${seconds.toFixed(2)} s`;
  return `  ${table.padEnd(27)} ${how.padEnd(37)} ${time}`;
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
    text:
      `Wrote ${rows} rows from ${tables} tables to ${toStandardOutput ? "standard output" : to}, ` +
      `as of ${takenAt}. The file contains password and token hashes. Protect it like the database.` +
      (isRecorded ? "" : " It could not be recorded in the audit log."),
    json: { file: to, ...written },
    toStandardError: toStandardOutput,
  };
}

const restore = ({ from }: { from: string }) =>
  withOwnedDatabase((db, target) => restoreAndVerify({ db, ...target }, from));

export async function restoreAndVerify(
  target: Parameters<typeof restoreBackup>[0],
  from: string,
  verify = (db: Database) => checkLedger(db, CHECKS),
) {
  const restored = await restoreBackup(target, from);
  const { rows, tables, takenAt, leftOut } = restored;
  const without = leftOut.length > 0 ? ` Left out, as not the service's: ${someOf(leftOut)}.` : "";
  const done = `Restored ${rows} rows into ${tables} tables, as of ${takenAt}.${without}`;
  try {
    const ledger = await verify(target.db);
    const text = `${done} ${ledgerVerdict(ledger)}`;
    return { text, json: { ...restored, ledger }, exitCode: ledger.ok ? 0 : 1 };
  } catch (error) {
    const remedy = "Every row is in. Verify the ledger with `npm run -s ops -- verify-ledger`.";
    const text = `${done} ${remedy} It could not be verified yet: ${failureLine(error)}`;
    return { text, json: { ...restored, ledger: null }, exitCode: 1 };
  }
}

const BATCHES_DEFAULT = 10_000;
const BATCHES_MAX = 5_000_000;

type DemoOptions = { batches: number; add?: true; yes?: true };

async function seed(options: DemoOptions) {
  const { DATABASE_URL, DATABASE_MIGRATION_URL, ADMIN_EMAIL, ADMIN_PASSWORD } = settings();
  const given = DATABASE_MIGRATION_URL ?? DATABASE_URL;
  if (process.env.NODE_ENV === "production" && given && !options.yes)
    throw invalid(
      "This is a production database, and demo points cannot be removed from it. " +
        "To seed it anyway, use --yes.",
    );
  const startedAt = performance.now();
  const seeded = await withOwnedDatabase(async (db, target) => {
    await migrateDatabase(target);
    return await seedDemo(db, {
      batches: options.batches,
      add: options.add === true,
      adminEmail: ADMIN_EMAIL,
      adminPassword: ADMIN_PASSWORD,
    });
  });
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return { text: seedReport(seeded, seconds), json: { ...seeded, seconds } };
}

const seedReport = ({ batches, transfers, people, tokens }: SeededDemo, seconds: number): string =>
  [
    `Stored ${batches} batches with ${transfers} transfers in ${seconds} s.`,
    ...people.map(({ email, role, password }) => `Sign in   ${email}  ${password}   (${role}, shown once)`),
    ...tokens.map(
      ({ contractAddress, label, token }) => `Token     ${contractAddress}  ${token}   (${label})`,
    ),
  ].join("\n");
