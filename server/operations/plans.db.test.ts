import type { Sql } from "postgres";
import { beforeAll, expect, test } from "vitest";
import { MOVEMENT_NAMES, readMovement } from "@/server/books/chain";
import { explainQuery, nodesOf } from "@/testing/explain";
import { withoutTriggers } from "@/testing/factories";
import { daysAgo } from "@/testing/move-in-time";
import { useLedger } from "@/testing/use-ledger";
import { bucketsQuery, dueMinutes } from "./measure";
import { RANGES } from "./ranges";
import { stateQuery } from "./read-state";

const { db, newContract } = useLedger({ balances: false });
const BATCHES = 20_000;
/** Rows per insert, so that one statement stays below the timeout even on a busy machine. */
const PART = 5000;

/**
 * 20,000 batches of the last 60 days, each with its issuance. One in 100 is pending (a tenth of those due, a tenth on hold),
 * one in 50 is cancelled, the rest are FINALIZED.
 */
beforeAll(async () => {
  const contract = `decode('${(await newContract()).slice(2)}', 'hex')`;
  const past = `now() - (${BATCHES} - n) * interval '260 seconds'`;
  for (let first = 1; first < BATCHES; first += PART) {
    const numbers = `generate_series(${first}, ${first + PART - 1}) n`;
    await withoutTriggers(
      db,
      `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
         submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at, cancelled_at, claim_id, claimed_at,
         held_at, held_by, hold_reason)
       select ${contract}, 'b-' || n, 'PHASE2_POINTS', status, 1, 1, 60, sha256(n::text::bytea), 'token:test', 'r',
         due - interval '1 minute', due, case when status <> 'PENDING' then due end, case when status = 'FINALIZED' then due end,
         case when status = 'CANCELLED' then due end, case when status = 'FINALIZED' then gen_random_uuid() end,
         case when status = 'FINALIZED' then due end, case when held then due end, case when held then 'staff:a' end,
         case when held then 'why' end
       from (
         select n, n % 1000 = 100 as held,
           (case when n % 100 = 0 then 'PENDING' when n % 50 = 25 then 'CANCELLED' else 'FINALIZED' end)::batch_status as status,
           case when n % 100 = 0 and n % 1000 > 0 then now() + interval '1 day' else ${past} end as due
         from ${numbers}
       ) as made;
       insert into issuances (contract_address, point_type, points, batch_seq, created_at)
       select ${contract}, 'PHASE2_POINTS', 1, n, ${past} from ${numbers}`,
    );
  }
  for (const table of ["batches", "issuances", "contracts"]) await db.sql.unsafe(`vacuum analyze ${table}`);
}, 60_000);

async function scansOf(send: (sql: Sql) => PromiseLike<unknown>) {
  return nodesOf(await explainQuery(db, send))
    .filter((node) => /^(batches|issuances)$/.test(node["Relation Name"] ?? ""))
    .map((node) => node["Node Type"]);
}

test("with 20,000 batches, no query for the finalizing state, the next 24 hours, a chart or a day of the books reads them all", async () => {
  const day = { from: daysAgo(5), before: daysAgo(4) };
  const queries: [string, (sql: Sql) => PromiseLike<unknown>, scans?: number][] = [
    ["state", stateQuery, 5],
    ["due", dueMinutes],
    ...RANGES.map(
      (range) =>
        [range, (sql: Sql) => bucketsQuery(sql, range)] as [string, (sql: Sql) => PromiseLike<unknown>],
    ),
    ...MOVEMENT_NAMES.map(
      (movement) =>
        [movement, (sql: Sql) => readMovement(sql, movement, day)] as [
          string,
          (sql: Sql) => PromiseLike<unknown>,
        ],
    ),
  ];
  for (const [name, send, count = 1] of queries) {
    const scans = await scansOf(send);
    expect(scans, name).toHaveLength(count);
    for (const scan of scans) expect(scan, name).toMatch(/^(Index Only Scan|Index Scan|Bitmap Heap Scan)$/);
  }
});
