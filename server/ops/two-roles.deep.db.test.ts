import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Command } from "commander";
import postgres from "postgres";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { createDatabase } from "@/db/client";
import { answerCron } from "@/server/host/answer-cron";
import { database } from "@/server/kernel/database";
import { checkLedger } from "@/server/ledger/run-check";
import { CHECKS } from "@/server/operations/self-check";
import { batchOf, finalize, newContract, submit } from "@/testing/factories";
import { forgetSingles } from "@/testing/rest-request";
import { testDatabase } from "@/testing/test-database";
import { useEveryTable } from "@/testing/used-rows";
import { addServiceCommands } from "./service-commands";

const PASSWORD = "a-password-of-this-test";

let admin: postgres.Sql;
let names: { database: string; owner: string; service: string };
let serviceUrl: string;
let folder: string;

/** An empty database with two roles: its owner, and a service role that may write rows but not change the schema. */
beforeEach(async () => {
  const id = randomBytes(6).toString("hex");
  names = { database: `roles_${id}`, owner: `owner_${id}`, service: `service_${id}` };
  const { database, owner, service } = names;
  admin = postgres(inject("postgresUrl"), { max: 1, onnotice: () => undefined });
  for (const role of [owner, service]) await admin.unsafe(`create role ${role} login password '${PASSWORD}'`);
  await admin`create database ${admin(database)} owner ${admin(owner)} template template0`;
  const urlOf = (role: string) =>
    Object.assign(new URL(inject("postgresUrl")), {
      pathname: `/${database}`,
      username: role,
      password: PASSWORD,
    }).href;
  const rights = postgres(urlOf(owner), { max: 1 });
  await rights.unsafe(readFileSync("deploy/grants.sql", "utf8").replaceAll(':"service"', service));
  await rights.end();
  serviceUrl = urlOf(service);
  folder = mkdtempSync(path.join(tmpdir(), "two-roles-"));
  vi.stubEnv("DATABASE_URL", serviceUrl);
  vi.stubEnv("DATABASE_MIGRATION_URL", urlOf(owner));
  for (const name of ["AUTH_SECRET", "CRON_SECRET"]) vi.stubEnv(name, `${name}-of-this-run`);
  forgetSingles();
});

afterEach(async () => {
  await admin`drop database ${admin(names.database)} with (force)`;
  for (const role of [names.owner, names.service]) await admin`drop role ${admin(role)}`;
  await admin.end();
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
  forgetSingles();
  process.exitCode = undefined;
});

/** Runs a command and captures its output and exit code. */
async function run(...words: string[]): Promise<{ printed: string; exitCode: typeof process.exitCode }> {
  const printed: string[] = [];
  const keep = (chunk: string | Uint8Array) => printed.push(String(chunk)) > 0;
  const streams = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation(keep),
  );
  const program = new Command();
  addServiceCommands(program);
  await program.parseAsync(words, { from: "user" });
  for (const stream of streams) stream.mockRestore();
  return { printed: printed.join(""), exitCode: process.exitCode };
}

/** Reads with the service role's permissions. */
async function asService<T>(read: (db: ReturnType<typeof createDatabase>) => Promise<T>): Promise<T> {
  const db = createDatabase({ url: serviceUrl, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
  return await read(db).finally(() => db.close());
}

test("where the service role may not change the schema restore runs as the role of DATABASE_MIGRATION_URL, and the service can read the result", async () => {
  const source = await testDatabase();
  await useEveryTable(source);
  const file = path.join(folder, "backup.gz");
  vi.stubEnv("DATABASE_URL", source.url);
  expect(await run("backup", "--to", file)).toMatchObject({ exitCode: 0 });
  // The file has everybody's password hashes, so the audit log says who wrote one.
  const audit = await source.sql`select actor, detail from audit_log where action = 'backup.write'`;
  expect(audit).toEqual([
    { actor: expect.stringMatching(/^ops/), detail: expect.objectContaining({ tables: expect.any(Number) }) },
  ]);
  await source.drop();
  vi.stubEnv("DATABASE_URL", serviceUrl);
  forgetSingles();

  const restored = await run("restore", "--from", file);
  expect(restored).toEqual({
    printed: expect.stringContaining("The ledger balances: 7 batches"),
    exitCode: 0,
  });
  expect(await asService((db) => checkLedger(db, CHECKS))).toMatchObject({ ok: true, batches: 7 });
  // What every worker does.
  const headers = { authorization: `Bearer ${process.env.CRON_SECRET}` };
  const reply = await answerCron(new Request("http://service.test/", { headers }), "request-1");
  expect(await reply.json()).toMatchObject({ batchesFinalized: 3, dueLeft: 0, failure: null });
  await database().close();
});

test("where the service role may not change the schema deploy/grants.sql is enough for the service, also for tables that came later, and doctor says what is missing", async () => {
  await run("migrate");
  expect((await run("doctor")).printed).toContain("ok    rights");
  await asService(async (db) => {
    await submit(db, batchOf(await newContract(db), [[1, "1"]]));
    expect(await finalize(db)).toMatchObject({ batchesFinalized: 1, failure: null });
  });
  const owned = createDatabase({
    url: process.env.DATABASE_MIGRATION_URL!,
    poolMax: 1,
    timeoutSeconds: 10,
    pooler: "none",
  });
  await owned.sql.unsafe(
    `revoke insert on batches from ${names.service}; revoke usage on schema drizzle from ${names.service}`,
  );
  await owned.close();
  expect(await run("doctor")).toMatchObject({
    printed: expect.stringMatching(
      /^FAIL {2}rights: service_\w+ lacks rights on drizzle, batches; run deploy\/grants\.sql as the owner$/m,
    ),
    exitCode: 1,
  });
});
