import { beforeAll, expect, test } from "vitest";
import { explainQuery, nodesOf, type PlanNode } from "@/testing/explain";
import { neighbourOf, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../kernel/values/addresses";
import { edgesFrom, readFunds, readPending } from "./make-forecast";

const { db, useContract } = useLedger({ balances: false });
const contract = useContract();
const BATCHES = 12_000;
const NOW = "2026-01-01T00:00:00.000Z";
const MINUTES_BETWEEN = 43;
const IN_SEVEN_DAYS = Math.floor((7 * 24 * 60) / MINUTES_BETWEEN) + 1;
const PENDING = 600;

/** A year of two contracts, of which the last batches are pending. */
beforeAll(async () => {
  const other = await neighbourOf(db, contract);
  for (const address of [contract, other]) {
    await withoutTriggers(
      db,
      `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest, submitted_by,
         submit_request_id, created_at, finalize_at, updated_at, finalized_at)
       select decode('${address.slice(2)}', 'hex'), 'b-' || n, 'PHASE2_POINTS', status, 1, 1, 60, sha256(n::text::bytea), 'token:test',
         'r', at, at + interval '20 days', case when status = 'FINALIZED' then at end, case when status = 'FINALIZED' then at end
       from (
         select n, (case when n > ${BATCHES - PENDING} then 'PENDING' else 'FINALIZED' end)::batch_status as status,
           timestamptz '${NOW}' - (${BATCHES} - n) * interval '${MINUTES_BETWEEN} minutes' as at from generate_series(1, ${BATCHES}) as n) made`,
    );
  }
  await db.sql.unsafe("vacuum analyze batches");
});

const rowsRead = (nodes: PlanNode[]) =>
  nodes
    .filter((node) => node["Relation Name"] === "batches")
    .reduce(
      (sum, node) =>
        sum + (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
      0,
    );

test("a forecast reads the contract's pending batches and those of seven days, each from one range of one index", async () => {
  const address = addressToBytes(contract);
  const pending = nodesOf(
    await explainQuery(db, (sql) => readPending(sql, address, edgesFrom(NOW)), { analyze: true }),
  );
  const funds = nodesOf(await explainQuery(db, (sql) => readFunds(sql, address, NOW), { analyze: true }));
  const whole = [...pending, ...funds].filter((node) => node["Node Type"] === "Seq Scan");
  expect(whole.map((node) => node["Relation Name"])).toEqual([]);
  expect(rowsRead(pending)).toBe(PENDING);
  expect(rowsRead(funds)).toBe(IN_SEVEN_DAYS);
});
