import { expect, test } from "vitest";
import { explain, nodesOf, rowsRead, statementsOf } from "@/testing/explain";
import { withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { makeStatements } from "./make-statement";

const { db, context } = useLedger({ balances: false });

const CONTRACTS = 100;
/** Of a contract, one a day until the end of April. */
const BATCHES = 700;
/** From the month's start until now. */
const DAYS_READ = 61;
const MONTH = "2026-03";
const PAGE_CONTRACTS = 50;

test("the statements of many contracts read the month's range of each contract's finalized batches, and no other", async () => {
  await withoutTriggers(
    db,
    `insert into contracts (address, label, created_at)
       select decode(lpad(to_hex(n), 40, '0'), 'hex'), 'Contract ' || n, '2024-01-01'
       from generate_series(1, ${CONTRACTS}) n;
     insert into accounts (address, point_type)
       select address, unnest(enum_range(null::point_type)) from contracts;
     insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds,
         digest, submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at)
       select c.address, 'b-' || n, 'PHASE2_POINTS', 'FINALIZED', 1, 1, 60, sha256(n::text::bytea),
         'token:test', 'r', at, at, at, at
       from contracts c, generate_series(1, ${BATCHES}) n,
         lateral (select timestamptz '2026-05-01' - n * interval '1 day' as at) day;
     analyze contracts, accounts, batches`,
  );
  const { sent } = await statementsOf(db.url, (sql) =>
    makeStatements({ ...context(), db: { ...db, sql } }, { month: MONTH }),
  );
  const facts = sent.filter(({ text }) => text.includes("finalizing as materialized"));
  expect(facts).toHaveLength(PAGE_CONTRACTS);
  const nodes = nodesOf(
    (await Promise.all(facts.map(({ text, values }) => explain(db, text, values, { analyze: true })))).flat(),
  );
  const ranges = nodes.filter((node) => node["Index Name"] === "batches_contract_finalized");
  expect(ranges.length).toBeGreaterThanOrEqual(PAGE_CONTRACTS);
  for (const { "Index Cond": condition } of ranges) {
    expect(condition).toContain("contract_address");
    expect(condition).toContain("finalized_at");
  }
  expect(rowsRead(nodes, ["batches"])).toBeLessThanOrEqual(PAGE_CONTRACTS * DAYS_READ);
});
