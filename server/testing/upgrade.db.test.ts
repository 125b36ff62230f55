import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { migrateDatabase, migrationsUpTo } from "@/db/migrate";
import { checkLedger } from "../ledger/check-ledger";
import { runCheck } from "../ledger/run-check";
import { readFigures } from "../metrics/read-figures";
import { indexRecipients } from "../recipients/index-recipients";
import { batchOf, finalize, submit } from "./factories";

const journal = JSON.parse(readFileSync("db/migrations/meta/_journal.json", "utf8")) as {
  entries: { when: number; tag: string }[];
};
/** Every version that came before this one: how many migrations it had, and its last. */
const VERSIONS = journal.entries.slice(0, -1).map(({ tag }, index) => ({ tag, count: index + 1 }));
/** Migrations after which a version wrote more. */
const HOLDS_SINCE = 4;
/** Since then the finalizer keeps its own totals. */
const TOTALS_SINCE = 7;

const CONTRACT = `0x${"c".repeat(40)}`;

describe.each(VERSIONS)("a database of $tag", ({ count }) => {
  let db: Database;
  let url: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const name = `upgrade_${randomBytes(6).toString("hex")}`;
    const admin = postgres(inject("postgresUrl"), { max: 1, onnotice: () => undefined });
    await admin`create database ${admin(name)} template template0`;
    const target = new URL(inject("postgresUrl"));
    target.pathname = `/${name}`;
    url = target.href;
    db = createDatabase({ url, poolMax: 5, timeoutSeconds: 10, pooler: "none" });
    drop = async () => {
      await db.close();
      await admin`drop database ${admin(name)} with (force)`;
      await admin.end();
    };
    const folder = migrationsUpTo(journal.entries.slice(0, count).map(({ when }) => String(when)))!;
    await migrateDatabase({ url, timeoutSeconds: 10, migrationsFolder: folder.path });
    folder.remove();
    await db.sql.unsafe(writtenBy(count));
  });
  afterAll(() => drop?.());

  test("is not served as it is, and readiness says what to do", async () => {
    vi.resetModules();
    vi.stubEnv("DATABASE_URL", url);
    for (const name of ["AUTH_SECRET", "CRON_SECRET"]) vi.stubEnv(name, "a-secret-of-this-test");
    const { single } = await import("../single");
    const { expectReady, readiness } = await import("../health");
    const { machineRoute } = await import("../rest/machine-route");
    Object.assign(globalThis, { [Symbol.for("point-transfer-batches.singles")]: undefined });
    expect(await readiness()).toMatchObject({
      ready: false,
      checks: { database: "up", schema: "behind" },
    });
    const refused = await machineRoute("/readyz", expectReady).GET(new Request("http://service.test/readyz"));
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      detail: "The database's schema is behind: run the migrations of this version.",
    });
    await single<Database>("database", () => db).close();
    Object.assign(globalThis, { [Symbol.for("point-transfer-batches.singles")]: undefined });
    vi.unstubAllEnvs();
  });

  test("still verifies after the migration, with every row in its place", async () => {
    expect(await migrateDatabase({ url, timeoutSeconds: 10 })).toEqual({
      applied: journal.entries.length - count,
    });
    expect(await checkLedger(db)).toMatchObject({
      ok: true,
      batches: count >= HOLDS_SINCE ? 5 : 4,
      findings: [],
    });
    const rows =
      await db.sql`select id, status, points::text, transfer_count from batches where held_at is null order by id`;
    expect([...rows]).toEqual([
      { id: "cancelled", status: "CANCELLED", points: "5.000000000000", transfer_count: 1 },
      { id: "claimed", status: "FINALIZING", points: "2.000000000000", transfer_count: 1 },
      { id: "settled", status: "FINALIZED", points: "10.750000000000", transfer_count: 2 },
      { id: "waiting", status: "PENDING", points: "3.000000000001", transfer_count: 1 },
    ]);
    const accounts = await db.sql`
      select right(encode(address, 'hex'), 2) as address, trim_scale(earned)::text as earned, trim_scale(received)::text as received,
        trim_scale(sent)::text as sent, trim_scale(pending)::text as pending
      from accounts where point_type = 'PHASE2_POINTS' order by address`;
    const held = count >= HOLDS_SINCE ? 1 : 0;
    expect([...accounts]).toEqual([
      { address: "01", earned: "0", received: "10.5", sent: "0", pending: "0" },
      { address: "02", earned: "0", received: "0.25", sent: "0", pending: "0" },
      { address: "cc", earned: "100", received: "0", sent: "10.75", pending: `${5 + held}.000000000001` },
    ]);
  });

  test("is what the new version goes on with", async () => {
    await submit(db, batchOf(CONTRACT, [[1, "1"]]));
    expect(await finalize(db)).toMatchObject({ failure: null, batchesFinalized: 3 });
    await indexRecipients(db);
    for (const reach of ["incremental", "incremental", "whole"] as const)
      expect(await runCheck(db, { startedBy: "test", secondsMax: 30, reach })).toMatchObject({ ok: true });
    expect(await readFigures(db)).toMatchObject({ settledBatches: 4, settledTransfers: 5 });
  });
});

/** What a version with so many migrations stored: an issued contract and a batch in every state. */
function writtenBy(count: number): string {
  const contract = "decode(repeat('cc', 20), 'hex')";
  const address = (number: number) => `decode(lpad('${number}', 40, '0'), 'hex')`;
  const holds = count >= HOLDS_SINCE;
  const batch = (id: string, status: string, points: string, transfers: number, times: string) =>
    `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
       submitted_by, submit_request_id, created_at, finalize_at, updated_at, claim_id, claimed_at, lease_until,
       finalized_at, cancelled_at)
     values (${contract}, '${id}', 'PHASE2_POINTS', '${status}', ${points}, ${transfers}, 3600, decode(repeat('00', 32), 'hex'),
       'token:t', 'request', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z', ${times});`;
  const rows = (id: string, values: [to: number, points: string][]) =>
    `insert into transfers (batch_seq, contract_address, position, to_address, points)
     select b.seq, b.contract_address, v.position, v.to_address, v.points from batches b,
       (values ${values.map(([to, points], at) => `(${at}, ${address(to)}, ${points})`).join(", ")}) as v (position, to_address, points)
     where b.id = '${id}';`;
  const at = "'2026-01-01T01:00:01Z'";
  const claim = "'00000000-0000-0000-0000-000000000001'";
  return [
    `insert into contracts (address, label) values (${contract}, 'One');`,
    `insert into accounts (address, point_type) values (${contract}, 'PHASE2_GOLD');`,
    `insert into accounts (address, point_type, earned, sent, pending)
     values (${contract}, 'PHASE2_POINTS', 100, 10.75, ${holds ? "6.000000000001" : "5.000000000001"});`,
    `insert into accounts (address, point_type, received)
     values (${address(1)}, 'PHASE2_POINTS', 10.5), (${address(2)}, 'PHASE2_POINTS', 0.25);`,
    `insert into issuances (contract_address, point_type, points, granted_by) values (${contract}, 'PHASE2_POINTS', 100, 'ops');`,
    `insert into staff (email, role, password_hash) values ('a@example.com', 'admin', 'x');`,
    count >= TOTALS_SINCE
      ? `insert into finalizer_heartbeat (last_tick_at, batches_finalized, transfers_settled) values (${at}, 1, 2);`
      : `insert into finalizer_heartbeat (last_tick_at) values (${at});`,
    batch("settled", "FINALIZED", "10.75", 2, `${at}, ${claim}, ${at}, null, ${at}, null`),
    rows("settled", [
      [1, "10.5"],
      [2, "0.25"],
    ]),
    batch("cancelled", "CANCELLED", "5", 1, `${at}, null, null, null, null, ${at}`),
    rows("cancelled", [[1, "5"]]),
    batch("claimed", "FINALIZING", "2", 1, `${at}, ${claim}, ${at}, ${at}, null, null`),
    rows("claimed", [[2, "2"]]),
    batch("waiting", "PENDING", "3.000000000001", 1, "null, null, null, null, null, null"),
    rows("waiting", [[1, "3.000000000001"]]),
    ...(holds
      ? [
          batch("held", "PENDING", "1", 1, "null, null, null, null, null, null"),
          rows("held", [[1, "1"]]),
          "update batches set held_at = now(), held_by = 'staff:a@example.com', hold_reason = 'why' where id = 'held';",
          `insert into ledger_checks (started_by, started_at, is_ok, batches, transfers, accounts) values ('ops', ${at}, true, 1, 1, 1);`,
        ]
      : []),
  ].join("\n");
}
