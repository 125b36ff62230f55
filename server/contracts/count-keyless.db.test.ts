import { v7 as uuidv7 } from "uuid";
import { beforeAll, expect, test } from "vitest";
import { explain, nodesOf, rowsRead, statementsOf } from "@/testing/explain";
import { withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { countKeyless, KEYLESS_COUNTED_MAX } from "./read-contracts";

const { db, context, useContract } = useLedger({ balances: false });
const busy = useContract();
const quiet = useContract();

const BATCHES = 30_000;
const DAY_MS = 86_400_000;

/** A month of keyless POSTs of one contract, and of another two, beside as many under IDs of its own. */
beforeAll(async () => {
  const insert = async (contract: string, ids: readonly string[], keyless: boolean) => {
    await withoutTriggers(
      db,
      `insert into batches (contract_address, id, point_type, points, transfer_count, wait_seconds, digest,
         submitted_by, submit_request_id, created_at, finalize_at, keyless)
       select decode('${contract.slice(2)}', 'hex'), id, 'PHASE2_POINTS', 1, 1, 60, sha256(id::bytea),
         'token:test', 'r', now() - interval '1 day', now(), ${keyless}
       from unnest('{${ids.join()}}'::text[]) as id`,
    );
  };
  const made = (count: number, days: number) =>
    Array.from({ length: count }, () => uuidv7({ msecs: Date.now() - days * DAY_MS }));
  await insert(busy, made(BATCHES, 1), true);
  await insert(quiet, made(2, 1), true);
  await insert(quiet, made(BATCHES, 60), false);
  await insert(
    quiet,
    Array.from({ length: BATCHES }, (_, at) => `payout-${at}`),
    false,
  );
  await db.sql`vacuum analyze batches`;
});

/** As the count does. */
const AVOIDED = { avoidSeqScan: true, avoidBitmap: true };

const counted = (contractAddress: string) =>
  statementsOf(db.url, (sql) => countKeyless({ ...context(), db: { ...db, sql } }, { contractAddress }));

test.each([
  ["many", busy, { count: KEYLESS_COUNTED_MAX, isAtLeast: true }, KEYLESS_COUNTED_MAX],
  ["a few", quiet, { count: 2, isAtLeast: false }, 2],
])(
  "the count of a contract with %s reads one range of IDs, of a bounded length",
  async (_, contract, expected, rows) => {
    const { result, sent } = await counted(contract);
    expect(result).toEqual(expected);
    expect(sent.some(({ text }) => /enable_seqscan.*off.*enable_bitmapscan.*off/.test(text))).toBe(true);
    const [{ text, values }] = sent.filter(({ text: each }) => each.includes("keyless")) as [
      (typeof sent)[0],
    ];
    const nodes = nodesOf(await explain(db, text, values, { ...AVOIDED, analyze: true }));
    expect(nodes.map((node) => node["Index Name"]).filter(Boolean)).toEqual(["batches_id_once"]);
    expect(rowsRead(nodes, ["batches"])).toBe(rows);
    const kept = nodesOf(await explain(db, text, values, { ...AVOIDED, generic: true }));
    expect(kept.map((node) => node["Index Name"]).filter(Boolean)).toEqual(["batches_id_once"]);
  },
);
