import type { Command } from "commander";
import { migrateDatabase } from "@/db/migrate";
import { type SeededDemo, seedDemo } from "../demo/seed-demo";
import { settings } from "../kernel/settings";
import { invalid } from "../kernel/to-domain-error";

import * as argument from "./command";
import { action, withOwnedDatabase } from "./command";

const BATCHES_DEFAULT = 10_000;
const BATCHES_MAX = 5_000_000;

type DemoOptions = { batches: number; seed: number; add?: true; yes?: true };

export function addDemoCommand(program: Command): void {
  program
    .command("seed-demo")
    .description("fill an empty database with a month of demo contracts, team members and batches")
    .option("--batches <count>", "number of batches", argument.wholeNumber(1, BATCHES_MAX), BATCHES_DEFAULT)
    .option(
      "--seed <number>",
      "random seed; the same seed generates the same contracts and batches",
      argument.wholeNumber(1, 999_999),
      1,
    )
    .option("--add", "add to a database that already contains batches")
    .option("--yes", "allow a production DATABASE_URL")
    .action(action(seed));
}

async function seed(options: DemoOptions) {
  const { DATABASE_URL, DATABASE_MIGRATION_URL, DATABASE_TIMEOUT_SECONDS, ADMIN_EMAIL, ADMIN_PASSWORD } =
    settings();
  const given = DATABASE_MIGRATION_URL ?? DATABASE_URL;
  if (process.env.NODE_ENV === "production" && given && !options.yes)
    throw invalid(
      "This is a production database, and demo points cannot be removed from it. To seed it anyway, use --yes.",
    );
  const startedAt = performance.now();
  const seeded = await withOwnedDatabase(async (db, url) => {
    await migrateDatabase({ url, timeoutSeconds: DATABASE_TIMEOUT_SECONDS });
    return await seedDemo(db, {
      batches: options.batches,
      seed: options.seed,
      add: options.add === true,
      adminEmail: ADMIN_EMAIL,
      adminPassword: ADMIN_PASSWORD,
    });
  });
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return { text: reportOf(seeded, seconds), json: { ...seeded, seconds } };
}

const reportOf = ({ batches, transfers, people, tokens }: SeededDemo, seconds: number): string =>
  [
    `Stored ${batches} batches with ${transfers} transfers in ${seconds} s.`,
    ...people.map(({ email, role, password }) => `Sign in   ${email}  ${password}   (${role}, shown once)`),
    ...tokens.map(
      ({ contractAddress, label, token }) => `Token     ${contractAddress}  ${token}   (${label})`,
    ),
  ].join("\n");
