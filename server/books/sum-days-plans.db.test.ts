import { beforeAll, expect, test } from "vitest";
import { explainQuery, nodesOf } from "@/testing/explain";
import { withoutTriggers } from "@/testing/factories";
import { daysAgo } from "@/testing/past-days";
import { useLedger } from "@/testing/use-ledger";
import { MOVEMENT_NAMES, readMovement } from "./sum-days";

const { db, newContract } = useLedger({ balances: false });
const BATCHES = 100_000;
/** Rows per insert, so that one statement stays below the timeout even on a busy machine. */
const PART = 10_000;

/** 100,000 batches of the last 60 days, each with its issuance. One in 50 is cancelled, the rest FINALIZED. */
beforeAll(async () => {
  const contract = (await newContract()).slice(2);
  const instant = `now() - (${BATCHES} - n) * interval '52 seconds'`;
  for (let first = 1; first < BATCHES; first += PART) {
    const numbers = `generate_series(${first}, ${first + PART - 1}) n`;
    await withoutTriggers(
      db,
      `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
         submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at, cancelled_at, claim_id, claimed_at)
       select decode('${contract}', 'hex'), 'b-' || n, 'PHASE2_POINTS',
         (case when done then 'FINALIZED' else 'CANCELLED' end)::batch_status, 1, 1, 60, sha256(n::text::bytea),
         'token:test', 'r', at, at, at, case when done then at end, case when not done then at end,
         case when done then gen_random_uuid() end, case when done then at end
       from (select n, n % 50 > 0 as done, ${instant} as at from ${numbers}) as made;
       insert into issuances (contract_address, point_type, points, batch_seq, created_at)
       select decode('${contract}', 'hex'), 'PHASE2_POINTS', 1, n, ${instant} from ${numbers}`,
    );
  }
  await db.sql`vacuum analyze batches`;
  await db.sql`vacuum analyze issuances`;
  await db.sql`vacuum analyze contracts`;
}, 60_000);

test.each(MOVEMENT_NAMES)(
  "what was %s on one day is read by an index, however long the history is",
  async (movement) => {
    const range = { from: daysAgo(5), before: daysAgo(4) };
    const nodes = nodesOf(await explainQuery(db, (sql) => readMovement(sql, movement, range)));
    const scans = nodes.filter((node) => /^(batches|issuances)$/.test(node["Relation Name"] ?? ""));
    expect(scans).toHaveLength(1);
    expect(scans[0]!["Node Type"]).toMatch(/^(Index Only Scan|Index Scan|Bitmap Heap Scan)$/);
  },
);
