import { randomBytes } from "node:crypto";
import { expect, inject, test } from "vitest";
import { createDatabase } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { answerCron } from "@/server/host/answer-cron";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { readState } from "@/server/operations/read-state";
import { urlAt, withSql } from "@/testing/citus/make-database";
import { shifted, withoutTriggers } from "@/testing/factories";
import { testDatabase } from "@/testing/test-database";
import { useLedger } from "@/testing/use-ledger";
import { examine, type Finding } from "./doctor";

const { db, context, newContract, submit } = useLedger({ balances: false, serves: true });

const found = (findings: readonly Finding[], what: string) => findings.find((each) => each.what === what);

test("doctor compares each sequence with its column, and its statements repair a database filled by logical replication", async () => {
  const contract = await newContract();
  for (const _ of "123") await submit(contract, [[1, "1"]]);
  expect(found(await examine(db), "sequences")).toEqual({
    what: "sequences",
    ok: true,
    detail: "ahead of their rows",
  });
  const names = await db.sql<{ name: string }[]>`
    select schemaname || '.' || sequencename as name from pg_sequences where last_value is not null`;
  // Replication copies rows only.
  for (const { name } of names) await db.sql`select setval(${name}::regclass, 1, false)`;
  await expect(submit(contract, [[1, "1"]])).rejects.toThrow();

  const { ok, detail } = found(await examine(db), "sequences")!;

  expect(ok, detail).toBe(false);
  for (const name of ["public.batches_seq_seq", "drizzle.__drizzle_migrations_id_seq"])
    expect(detail).toContain(`select setval('${name}', `);
  for (const statement of detail.match(/select setval\('.+?\)\)/g)!) await db.sql.unsafe(statement);
  expect(found(await examine(db), "sequences")!.ok).toBe(true);
  await submit(contract, [[2, "1"]]);
});

test("doctor leaves out numbers that a worker of a cluster gave, each from a range of its own", async () => {
  const contract = addressToBytes(await newContract());
  await db.sql`
    insert into request_log (id, contract_address, created_at, operation, status, request_id, caller,
        client_network)
      overriding system value
    values (2 ^ 48 + 1, ${contract}, now(), 'batches.list', 200, 'r', 'token:test', '192.0.2.0/24')`;
  expect(found(await examine(db), "sequences")).toMatchObject({ ok: true });
});

test.each([
  ["the newest row's number, which is used", "max(seq), true", true],
  ["the number after it, which is not used yet", "max(seq) + 1, false", true],
  ["the newest row's number, as if it were not used yet", "max(seq), false", false],
  ["the number before it", "max(seq) - 1, true", false],
])("doctor knows the next number of a sequence that was set to %s", async (_, next, ok) => {
  await submit(await newContract(), [[1, "1"]]);
  await db.sql.unsafe(`select setval('batches_seq_seq', ${next}) from batches`);
  expect(found(await examine(db), "sequences")).toMatchObject({ ok });
});

test("doctor behind a pooler names each setting and timeout that the role must have, and the statement", async () => {
  const pooled = createDatabase({ url: db.url, poolMax: 1, timeoutSeconds: 10, pooler: "transaction" });
  const findings = await examine(pooled);
  await pooled.close();
  const { ok, detail } = found(findings, "session")!;
  expect(ok).toBe(false);
  expect(detail).toContain("DateStyle is SQL, DMY");
  expect(detail).toMatch(/alter role "?postgres"? in database "?test_\w+"? set bytea_output = 'hex'/);
  expect(found(await examine(db), "session")!.ok).toBe(true);
  const timeouts = found(findings, "timeouts")!;
  expect(`${timeouts.ok} ${timeouts.detail}`).toMatch(
    /^false (?=.*\(alter role "?postgres"? set lock_timeout = '6s'\))(?=.* set statement_timeout = '8s')/,
  );
  expect(found(await examine(db), "timeouts")!.ok).toBe(true);
});

test.each(["LATIN1", "SQL_ASCII"])(
  "a database with the encoding %s is refused by migrate, which changes nothing, and by doctor",
  async (encoding) => {
    const name = `encoding_${randomBytes(6).toString("hex")}`;
    const server = inject("postgresUrl");
    const url = urlAt(server, { database: name });
    await withSql(server, (sql) =>
      sql.unsafe(
        `create database ${name} encoding '${encoding}' template template0 locale 'C' locale_provider libc`,
      ),
    );
    try {
      await expect(migrateDatabase({ url, timeoutSeconds: 5 })).rejects.toThrow(
        `The database has the encoding ${encoding}, and names and metadata need UTF8: create a database with `,
      );
      const other = createDatabase({ url, poolMax: 1, timeoutSeconds: 5, pooler: "none" });
      const findings = await examine(other);
      const left = await other.sql`select 1 from pg_namespace where nspname = 'drizzle'`;
      await other.close();
      expect(found(findings, "encoding")).toMatchObject({
        ok: false,
        detail: expect.stringMatching(/^\w+; names/),
      });
      expect(left).toEqual([]);
    } finally {
      await withSql(server, (sql) => sql`drop database ${sql(name)} with (force)`);
    }
  },
);

/** By an administrator. ROLE is the service's, which owns nothing, and DATABASE its database. */
const SET_OTHERWISE: [what: string, statements: string, said: string][] = [
  ["commits", "alter role ROLE set synchronous_commit = off", "ok: .* on, because the service asks for it"],
  ["commits", "alter role ROLE set synchronous_commit = remote_apply", "ok: .* remote_apply$"],
  ["writes", "alter role ROLE set default_transaction_read_only = on", "FAIL: .* set by the user; check"],
  ["connections", "alter role ROLE connection limit 5", "FAIL: .* up to 13, the role allows 5 in all; lower"],
  ["connections", "alter database DATABASE connection limit 6", "FAIL: .*, the database allows 6 in all"],
  ["rights", "alter table batches enable row level security", "FAIL: .* hides rows of batches from r_"],
  [
    "rights",
    "alter table batches enable row level security; alter role ROLE bypassrls",
    "ok: .* of 1 from other",
  ],
  [
    "triggers",
    "alter role ROLE set session_replication_role = replica",
    "FAIL: session_replication_role is replica",
  ],
  ["triggers", "alter table batches disable trigger all", "FAIL: disabled on batches; they guard"],
  ["durability", "alter table finalizer_runs set unlogged", "FAIL: .*finalizer_runs is unlogged"],
  ["durability", "alter role ROLE set zero_damaged_pages = on", "FAIL: .*zero_damaged_pages is on"],
  ["upkeep", "alter table batches set (autovacuum_enabled = off)", "FAIL: autovacuum is off for batches"],
  [
    "ledger",
    `insert into ledger_checks (started_by, started_at, is_ok, batches, transfers, accounts, findings)
      values ('test', now(), false, 0, 0, 0, '[]')`,
    "FAIL: the self-check of .* UTC failed; run `verify-ledger`",
  ],
  [
    "indexes",
    "update pg_index set indisvalid = false where indexrelid = 'staff_pkey'::regclass",
    "FAIL: staff_pkey is",
  ],
];

test.each(SET_OTHERWISE)("doctor says of %s after `%s`: %s", async (what, statements, said) => {
  const database = await testDatabase();
  const role = `r_${randomBytes(4).toString("hex")}`;
  const run = async (text: string) => {
    const name = new URL(database.url).pathname.slice(1);
    await database.sql.unsafe(text.replaceAll("DATABASE", name).replaceAll("ROLE", role));
  };
  await run(`create role ROLE login password 'p'; grant usage on schema drizzle to ROLE;
    grant select on all tables in schema drizzle to ROLE; grant all on all tables in schema public to ROLE;
    grant all on all sequences in schema public to ROLE`);
  await run(statements);
  const url = Object.assign(new URL(database.url), { username: role, password: "p" }).href;
  const other = createDatabase({ url, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
  try {
    const { ok, detail } = found(await examine(other), what)!;
    expect(`${ok ? "ok" : "FAIL"}: ${detail}`).toMatch(new RegExp(said));
  } finally {
    await other.close();
    await run("drop owned by ROLE; drop role ROLE");
    await database.drop();
  }
});

test("doctor expects calls of the cron route as often as they come, also after one in between, and fails when they stop", async () => {
  const pass = async (hours: number) => {
    const columns = { alert_jobs: ["next_at", "succeeded_at"], finalizer_heartbeat: ["last_tick_at"] };
    for (const [table, names] of Object.entries({ ...columns, batches: ["created_at", "finalize_at"] })) {
      const moved = names.map((name) => `${name} = ${shifted(name, -hours * 3600)}`);
      await withoutTriggers(db, `update ${table} set ${moved.join(", ")}`);
    }
  };
  const call = () =>
    answerCron(
      new Request("http://a.test", { headers: { authorization: "Bearer cron-secret-of-this-test" } }),
      "request-1",
    );
  const expected: number[] = [];
  for (const hours of [0, 24, 6, 18]) {
    await pass(hours);
    await call();
    expected.push(Math.round((await readState(context())).callSeconds! / 3600));
  }
  expect(expected).toEqual([24, 24, 18, 18]);
  await submit(await newContract(), [[1, "1"]]);
  const finalizer = async () => found(await examine(db), "finalizer");
  await pass(30);
  expect(await finalizer()).toMatchObject({ ok: true, detail: expect.stringMatching(/10\d{4} s overdue/) });
  await pass(7);
  expect(await finalizer()).toMatchObject({ ok: false });
});
