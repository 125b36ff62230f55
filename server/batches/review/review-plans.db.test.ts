import type { Sql } from "postgres";
import { beforeAll, expect, test } from "vitest";
import { explain, nodesOf, packedRows, rowsRead, statementsOf } from "@/testing/explain";
import { withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { countNewRecipients } from "./find-repeats";
import { findSuspects } from "./review-new-batches";

const { db, useContract } = useLedger({ balances: false });
const contract = useContract({ issuance: "PREFUNDED", granted: "1000000000" });
const BATCHES = 60_000;
const PART = 15_000;
/** A wallet that every batch pays. */
const BUSY = "ab".repeat(20);

/**
 * 60,000 batches with a wait of a day, one every 20 seconds, so that thousands are always pending. One in ten is cancelled.
 * Each pays a busy wallet and one of its own.
 */
beforeAll(async () => {
  const address = `decode('${contract.slice(2)}', 'hex')`;
  for (let from = 1; from <= BATCHES; from += PART) {
    await withoutTriggers(
      db,
      `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest, transfers_hash,
         submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at, cancelled_at)
       select ${address}, 'b-' || n, 'PHASE2_POINTS', status,
         case status when 'CANCELLED' then 3 else 2 end, 2, 86400, sha256(n::text::bytea), sha256((case when n % 2 = 0 then n % 30000 else n end)::text::bytea),
         'token:test', 'r', at, at + interval '1 day', at, case when status = 'FINALIZED' then at + interval '1 day' end,
         case when status = 'CANCELLED' then at end
       from (select n, (case when n % 10 = 0 then 'CANCELLED' else 'FINALIZED' end)::batch_status as status,
         timestamptz '2026-03-01T00:00:00Z' + n * interval '20 seconds' as at
         from generate_series(${from}, ${from + PART - 1}) n) made`,
    );
    await withoutTriggers(
      db,
      packedRows(`select seq as batch_seq, contract_address, position,
          case position when 0 then decode('${BUSY}', 'hex') else decode(lpad(to_hex(seq), 40, '0'), 'hex') end as to_address, 1 as points
        from batches, generate_series(0, 1) as position where seq between ${from} and ${from + PART - 1}`),
    );
  }
  await db.sql`
    insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
    select to_address, created_at, seq, contract_address, 1 from batches,
      lateral (values (decode(${BUSY}, 'hex')), (decode(lpad(to_hex(seq), 40, '0'), 'hex'))) as paid (to_address)`;
  await db.sql`vacuum analyze`;
});

const TABLES = ["batches", "batch_transfers", "recipient_transfers", "accounts", "contracts"];

test("a new batch is compared by ranges of indexes: of 60,000 batches it reads under 2,000 rows, and scans no table", async () => {
  const places = await db.sql<{ contractAddress: Buffer; seq: string; createdAt: string }[]>`
    select contract_address as "contractAddress", seq::text, created_at::text as "createdAt" from batches
    where seq > ${BATCHES - 20} order by seq`;
  const { result: suspects, nodes } = await planned((sql) => findSuspects({ ...db, sql }, places));
  // Half of them repeat an earlier batch. For the others, the new recipients are counted, half of two.
  expect(suspects.size).toBe(places.length);
  expect(
    nodes.filter(
      (node) => node["Node Type"] === "Seq Scan" && !/^(accounts|contracts)$/.test(node["Relation Name"]!),
    ),
  ).toEqual([]);
  expect(rowsRead(nodes, TABLES) / places.length).toBeLessThan(2000);
  expect(rowsRead(nodes, TABLES)).toBeGreaterThan(places.length);
});

test("new recipients are counted by a bounded range of the index per recipient, however often others have paid a wallet", async () => {
  const others = Array.from(
    { length: 1999 },
    (_, n) => `0x${(0xabc_0000 + n).toString(16).padStart(40, "0")}`,
  );
  const { result, nodes } = await planned((sql) =>
    countNewRecipients(
      { sql },
      {
        contract: Buffer.alloc(20, 7),
        transfers: [`0x${BUSY}`, ...others].map((toAddress) => ({ toAddress, points: "1" })),
        createdAt: "2100-01-01T00:00:00Z",
        seq: "9223372036854775807",
      },
    ),
  );
  expect(result).toBe(2000);
  expect(nodes.filter((node) => node["Node Type"] === "Seq Scan")).toEqual([]);
  // The plan has the mean of 2,000 probes, rounded.
  expect(rowsRead(nodes, TABLES)).toBeGreaterThan(0);
  expect(rowsRead(nodes, TABLES)).toBeLessThan(300);
});

/** Runs what sends statements, and explains these. */
async function planned<Result>(run: (sql: Sql) => Promise<Result>) {
  const { result, sent } = await statementsOf(db.url, run);
  const plans = await Promise.all(
    sent.map(({ text, values }) => explain(db, text, values, { analyze: true })),
  );
  return {
    result,
    nodes: nodesOf(plans.flat()).filter((node) => TABLES.includes(node["Relation Name"] ?? "")),
  };
}
