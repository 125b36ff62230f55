import { randomBytes } from "node:crypto";
import { expect, inject, test } from "vitest";
import { createDatabase } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { urlAt, withSql } from "@/testing/citus/make-database";
import { useLedger } from "@/testing/use-ledger";
import { examine, type Finding } from "./doctor";

const { db, newContract, submit } = useLedger({ balances: false, serves: true });

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

test("doctor behind a pooler names each setting that the role must have, and the statement", async () => {
  const pooled = createDatabase({ url: db.url, poolMax: 1, timeoutSeconds: 10, pooler: "transaction" });
  const { ok, detail } = found(await examine(pooled), "session")!;
  await pooled.close();
  expect(ok).toBe(false);
  expect(detail).toContain("DateStyle is SQL, DMY");
  expect(detail).toMatch(/alter role "?postgres"? in database "?test_\w+"? set bytea_output = 'hex'/);
  expect(found(await examine(db), "session")!.ok).toBe(true);
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
