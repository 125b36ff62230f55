import { beforeAll, expect, test } from "vitest";
import { explainQuery, nodesOf } from "@/testing/explain";
import { neighbourOf, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../kernel/values/addresses";
import { readFacts } from "./make-statement";

const { db, useContract } = useLedger({ balances: false });
const contract = useContract();
const BATCHES = 12_000;
const MONTHS = 12;

/** A year of two contracts, a thousand batches a month each. */
beforeAll(async () => {
  const other = await neighbourOf(db, contract);
  await db.sql`update contracts set created_at = '2025-01-01'`;
  for (const address of [contract, other]) {
    await withoutTriggers(
      db,
      `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest, submitted_by,
         submit_request_id, created_at, finalize_at, updated_at, finalized_at, cancelled_at)
       select decode('${address.slice(2)}', 'hex'), 'b-' || n, 'PHASE2_POINTS', status, 1, 1, 60, sha256(n::text::bytea), 'token:test',
         'r', at, at, at, case when status = 'FINALIZED' then at end, case when status = 'CANCELLED' then at end
       from (
         select n, (case when n % 10 = 0 then 'CANCELLED' else 'FINALIZED' end)::batch_status as status,
           timestamptz '2025-01-01T00:00:00Z' + n * interval '43 minutes' as at from generate_series(1, ${BATCHES}) as n) made`,
    );
  }
  await db.sql`
    insert into issuances (contract_address, point_type, points, batch_seq, created_at)
    select contract_address, point_type, points, seq, created_at from batches`;
  for (const table of ["batches", "issuances"]) await db.sql.unsafe(`vacuum analyze ${table}`);
});

test("a statement reads the contract's rows since the month began, each kind from one range of one index", async () => {
  const period = { from: "2025-12-01T00:00:00Z", until: "2026-01-01T00:00:00Z" };
  const plan = await explainQuery(db, (sql) => readFacts(sql, addressToBytes(contract), period), {
    analyze: true,
  });
  const nodes = nodesOf(plan);
  expect(
    nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"]),
  ).toEqual([]);
  const read = nodes
    .filter((node) => ["batches", "issuances"].includes(node["Relation Name"] ?? ""))
    .reduce(
      (sum, node) =>
        sum + (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
      0,
    );
  expect(read).toBeGreaterThan(BATCHES / MONTHS);
  expect(read).toBeLessThan((BATCHES / MONTHS) * 4);
});
