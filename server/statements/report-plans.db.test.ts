import { beforeAll, describe, expect, test } from "vitest";
import { explainQuery, nodesOf, type PlanNode } from "@/testing/explain";
import { newContract, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { edgesFrom, readFunds, readPending } from "../forecast/make-forecast";
import { addressToBytes } from "../kernel/values/addresses";
import { readFacts } from "./make-statement";

const { db, useContract } = useLedger({ balances: false });
const contract = useContract();
const address = addressToBytes(contract);
const BATCHES = 12_000;
const MONTHS = 12;
const NOW = "2026-01-01T00:00:00.000Z";
const MINUTES_BETWEEN = 43;
const IN_SEVEN_DAYS = Math.floor((7 * 24 * 60) / MINUTES_BETWEEN) + 1;
const PENDING = 600;

/** A year of two contracts, a thousand batches a month each. The last batches are pending, one in ten others is cancelled. */
beforeAll(async () => {
  const other = await newContract(db);
  await db.sql`update contracts set created_at = '2025-01-01'`;
  for (const each of [contract, other]) {
    await withoutTriggers(
      db,
      `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest, submitted_by,
         submit_request_id, created_at, finalize_at, updated_at, finalized_at, cancelled_at)
       select decode('${each.slice(2)}', 'hex'), 'b-' || n, 'PHASE2_POINTS', status, 1, 1, 60, sha256(n::text::bytea), 'token:test',
         'r', at, at + interval '20 days', case when status <> 'PENDING' then at end, case when status = 'FINALIZED' then at end,
         case when status = 'CANCELLED' then at end
       from (
         select n, (case when n > ${BATCHES - PENDING} then 'PENDING' when n % 10 = 0 then 'CANCELLED' else 'FINALIZED' end)::batch_status
           as status, timestamptz '${NOW}' - (${BATCHES} - n) * interval '${MINUTES_BETWEEN} minutes' as at
         from generate_series(1, ${BATCHES}) as n) made`,
    );
  }
  await db.sql`
    insert into issuances (contract_address, point_type, points, batch_seq, created_at)
    select contract_address, point_type, points, seq, created_at from batches`;
  for (const table of ["batches", "issuances"]) await db.sql.unsafe(`vacuum analyze ${table}`);
});

/** The rows that a query reads. */
async function rowsRead(send: Parameters<typeof explainQuery>[1]): Promise<number> {
  const nodes = nodesOf(await explainQuery(db, send, { analyze: true }));
  const whole = nodes.filter((node) => node["Node Type"] === "Seq Scan");
  expect(whole.map((node) => node["Relation Name"])).toEqual([]);
  const rows = (node: PlanNode) =>
    (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
  return nodes
    .filter((node) => ["batches", "issuances"].includes(node["Relation Name"] ?? ""))
    .reduce((sum, node) => sum + rows(node), 0);
}

describe("from one range of one index for each kind of row,", () => {
  test("a statement reads the contract's rows since the month began", async () => {
    const period = { from: "2025-12-01T00:00:00Z", until: NOW };
    const read = await rowsRead((sql) => readFacts(sql, address, period));
    expect(read).toBeGreaterThan(BATCHES / MONTHS);
    expect(read).toBeLessThan((BATCHES / MONTHS) * 4);
  });

  test("a forecast reads the contract's pending batches and those of seven days", async () => {
    expect(await rowsRead((sql) => readPending(sql, address, edgesFrom(NOW)))).toBe(PENDING);
    expect(await rowsRead((sql) => readFunds(sql, address, NOW))).toBe(IN_SEVEN_DAYS);
  });
});
