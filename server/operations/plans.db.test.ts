import type { Sql } from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { explainQuery, nodesOf } from "@/testing/explain";
import { withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { bucketsQuery } from "./measure-finalizing";
import { RANGES } from "./ranges";
import { dueMinutes } from "./read-load";
import { stateQuery } from "./read-state";

const { db, newContract } = useLedger({ balances: false });
const BATCHES = 100_000;
/** Rows per insert, so that one statement stays below the timeout even on a busy machine. */
const PART = 10_000;

/** 100,000 batches of the last 60 days. One in 100 is pending (a tenth of those due, a tenth on hold), the rest FINALIZED. */
beforeAll(async () => {
  const contract = await newContract();
  for (let first = 1; first < BATCHES; first += PART) {
    await withoutTriggers(
      db,
      `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
       submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at, claim_id, claimed_at, held_at, held_by, hold_reason)
     select decode('${contract.slice(2)}', 'hex'), 'b-' || n, 'PHASE2_POINTS', status, 1, 1, 60, sha256(n::text::bytea),
       'token:test', 'r', due - interval '1 minute', due, case when done then due end, case when done then due end,
       case when done then gen_random_uuid() end, case when done then due end,
       case when held then due end, case when held then 'staff:a' end, case when held then 'why' end
     from (
       select n, n % 100 > 0 as done, n % 1000 = 100 as held,
         (case when n % 100 > 0 then 'FINALIZED' else 'PENDING' end)::batch_status as status,
         case when n % 100 = 0 and n % 1000 > 0 then now() + interval '1 day'
           else now() - (${BATCHES} - n) * interval '52 seconds' end as due
       from generate_series(${first}, ${first + PART - 1}) n
     ) as made`,
    );
  }
  await db.sql`vacuum analyze batches`;
}, 60_000);

async function batchScans(send: (sql: Sql) => PromiseLike<unknown>) {
  return nodesOf(await explainQuery(db, send))
    .filter((node) => node["Relation Name"] === "batches")
    .map((node) => node["Node Type"]);
}

describe("with 100,000 batches, no query reads them all", () => {
  test("for the finalizing state", async () => {
    const scans = await batchScans(stateQuery);
    expect(scans).toHaveLength(5);
    for (const scan of scans) expect(scan).toMatch(/^(Index Only Scan|Index Scan|Bitmap Heap Scan)$/);
  });

  test("for what is due in the next 24 hours", async () => {
    const scans = await batchScans(dueMinutes);
    expect(scans).toHaveLength(1);
    expect(scans[0]).toMatch(/^(Index Scan|Bitmap Heap Scan)$/);
  });

  test.each(RANGES)("for the finalizing chart of %s", async (range) => {
    const scans = await batchScans((sql) => bucketsQuery(sql, range));
    expect(scans).toHaveLength(1);
    expect(scans[0]).toMatch(/^(Index Scan|Bitmap Heap Scan)$/);
  });
});
