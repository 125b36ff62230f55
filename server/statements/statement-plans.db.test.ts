import { expect, test } from "vitest";
import { explain, nodesOf, rowsRead, statementsOf } from "@/testing/explain";
import { withoutTriggers } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
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
  const factsOf = async () => {
    const { sent } = await statementsOf(db.url, (sql) =>
      makeStatements({ ...context(), db: { ...db, sql } }, { month: MONTH }),
    );
    return sent.filter(({ text }) => text.includes("finalizing as materialized"));
  };
  const facts = await factsOf();
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
  // A month that is over is summed once.
  expect(await factsOf()).toEqual([]);
});

test("a page of the screen has contracts that held or moved points, however many newer ones did not", async () => {
  await withoutTriggers(
    db,
    `insert into contracts (address, label, created_at)
       select decode(lpad(to_hex(1000 + n), 40, '0'), 'hex'), 'Idle ' || n, '2024-06-01'
       from generate_series(1, ${PAGE_CONTRACTS + 10}) n;
     insert into accounts (address, point_type, earned)
       select address, kind, case when label = 'Idle 1' then 5 else 0 end
       from contracts cross join unnest(enum_range(null::point_type)) as kind where label like 'Idle %';
     insert into issuances (contract_address, point_type, points, created_at, granted_by)
       select address, kind, 5, '2026-05-01', 'ops'
       from contracts cross join unnest(enum_range(null::point_type)) as kind where label = 'Idle 1';
     update accounts set earned = ${BATCHES}, sent = ${BATCHES} where point_type = 'PHASE2_POINTS'
       and address in (select contract_address from batches)`,
  );
  const { statements } = callerOf(db, "viewer");
  const labels = (await statements.all({ month: MONTH })).contracts.map((contract) => contract.contractLabel);
  expect(labels).toHaveLength(PAGE_CONTRACTS);
  expect(labels.filter((label) => label.startsWith("Idle"))).toEqual([]);
  const { contracts } = await statements.all({ month: "2026-05" });
  expect(contracts[0]).toMatchObject({
    contractLabel: "Idle 1",
    statements: [{ issued: "5" }, { issued: "5" }],
  });
});
