import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabases } from "@/server/kernel/database";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { PROBLEMS } from "@/terms/problems";
import { brokenInputs } from "@/testing/bad-values";
import { goodInputs, type Sample } from "@/testing/good-inputs";
import { serveFrom } from "@/testing/rest-request";
import { callerOf } from "@/testing/staff-caller";
import { useDatabase } from "@/testing/test-database";
import { appRouter } from "./root";

const db = useDatabase();
let samples: Sample[];

beforeAll(async () => {
  serveFrom(db);
  process.env.PASSWORD_FAILURES_PER_EMAIL = "0";
  samples = (await goodInputs(db)).samples(appRouter).filter(({ sample }) => sample !== undefined);
});
afterAll(() => closeDatabases());

type Procedures = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
const call = async (path: string, input: unknown) => {
  const [group, name] = path.split(".") as [string, string];
  // No worker takes it, and while one is running another request has to wait.
  if (path === "snapshots.take") await db.sql`delete from snapshots where status = 'RUNNING'`;
  const procedures = callerOf(db, "admin") as unknown as Procedures;
  return procedures[group]![name]!(input).then(() => null, toDomainError);
};

test("every procedure with an input accepts a good one that was made from its schema", async () => {
  const wrong: string[] = [];
  for (const { path, sample } of samples) {
    const error = await call(path, sample);
    if (error?.options.errors || error?.code === "internal_error")
      wrong.push(`${path} ${JSON.stringify(sample)}: ${JSON.stringify(error.options.errors)}`);
  }
  expect(wrong).toEqual([]);
});

/** A password takes up to a second of one core, so of these only a few inputs are tried. */
const SLOW = ["staff.changeOwnPassword", "staff.acceptInvitation"];
const SLOW_INPUTS = 12;
/** What every refusal is: sentences of ours. */
const SENTENCES = /^[A-Z0-9/?].*\.$/s;

test("no bad value in any input of the console is an internal error, and each refusal says what is wrong", async () => {
  const wrong = new Set<string>();
  let tried = 0;
  for (const { path, sample } of samples) {
    const inputs = [...brokenInputs(sample)];
    for (const input of SLOW.includes(path) ? inputs.slice(0, SLOW_INPUTS) : inputs) {
      tried++;
      const error = await call(path, input);
      if (error && (PROBLEMS[error.code].status >= 500 || !SENTENCES.test(error.message)))
        wrong.add(`${path} ${JSON.stringify(input)}: ${error.code} ${error.message}`);
    }
  }
  expect(tried).toBeGreaterThan(3000);
  expect([...wrong]).toEqual([]);
}, 240_000);
