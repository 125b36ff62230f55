import { beforeAll, expect, test } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import type { ServiceContext } from "@/server/kernel/context";
import { SEARCHED_MAX } from "@/server/kernel/search-in-steps";
import type { Metadata } from "@/terms/batch-terms";
import { explain, nodesOf, recordStatements, rowsRead } from "@/testing/explain";
import { withoutTriggers } from "@/testing/factories";
import { callApi } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { type BatchQuery, listBatches } from "./list-batches";

const { db, context, useContract } = useLedger({ balances: false, serves: true });
const contract = useContract();
const EACH = SEARCHED_MAX + 100;
let token: string;

/**
 * The older half of the batches is of the campaign "summer", the newer one of the region "eu", and each is more than one page
 * searches. Only the oldest batch is of both. All have the key `2026`, and five the part "last".
 */
beforeAll(async () => {
  const scopes = ["batches:read" as const];
  const asked = { contractAddress: contract, name: "test", scopes, expiresAt: null };
  token = (await createAccessToken(context("ops"), asked)).token;
  for (let from = 1; from < 2 * EACH; from += EACH)
    await withoutTriggers(
      db,
      `with made as (
         insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
           submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at)
         select decode('${contract.slice(2)}', 'hex'), 'b-' || n, 'PHASE2_POINTS', 'FINALIZED', 1, 1, 60,
           sha256(n::text::bytea), 'token:test', 'r', at, at, at, at
         from generate_series(${from}, ${from + EACH - 1}) n
         cross join lateral (select timestamptz '2026-03-01T00:00:00Z' + n * interval '1 second' as at) as made
         returning contract_address, seq, substring(id from 3)::int as n, created_at
       )
       insert into batch_metadata (contract_address, batch_seq, key, value, created_at)
       select contract_address, seq, key, value, created_at from made
       cross join (values ('2026', 'yes'), ('campaign', 'summer'), ('region', 'eu'), ('part', 'last')) as m (key, value)
       where key = '2026' or key = 'campaign' and n <= ${EACH} or key = 'region' and (n = 1 or n > ${EACH})
         or key = 'part' and n % 10000 = 1`,
    );
  await db.sql`vacuum analyze batches, batch_metadata`;
});

const HARDLY_OVERLAP = { campaign: "summer", region: "eu" };
const list = (query: string) => callApi(token, "GET", `/v1/contracts/${contract}/batches?${query}`);

test("a list by two common pairs that hardly overlap ends each page, found or not, and its cursor goes on to the match", async () => {
  const query = new URLSearchParams({ "metadata[campaign]": "summer", "metadata[region]": "eu" });
  const pages: string[][] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    if (cursor) query.set("cursor", cursor);
    const { status, body } = await list(String(query));
    expect(status).toBe(200);
    pages.push(body.batch.map(({ id }: { id: string }) => id));
    cursor = body.cursor;
  }
  expect(pages).toEqual([[], ["b-1"]]);
});

/** How many searches for entries were sent. */
const stepsOf = (sent: readonly { text: string }[]) =>
  sent.filter(({ text }) => text.includes("step as materialized")).length;

const both = () => ({ contractAddress: contract, metadata: HARDLY_OVERLAP });

test("no step of a search begins for a caller who has a reply or has left", async () => {
  const { db: recorded, sent } = recordStatements(db);
  const requireWanted = () => {
    if (stepsOf(sent) > 0) throw new Error("left");
  };
  await expect(listBatches({ ...context(), db: recorded, requireWanted }, both())).rejects.toThrow("left");
  expect(stepsOf(sent)).toBe(1);
});

test("a search that has used half of its request's time ends the page, and the next one begins where it stopped", async () => {
  const { db: recorded, sent } = recordStatements(db);
  const timeLeftMs = () => 100 - 51 * stepsOf(sent);
  const ctx: ServiceContext = { ...context(), db: recorded, timeLeftMs };
  const first = await listBatches(ctx, both());
  expect(stepsOf(sent)).toBe(1);
  expect(first.rows).toEqual([]);
  const found = [];
  for (let { cursor } = first; cursor !== null; ) {
    const page = await listBatches(context(), { ...both(), cursor });
    found.push(...page.rows.map(({ id }) => id));
    cursor = page.cursor;
  }
  expect(found).toEqual(["b-1"]);
});

/** The plan steps of the statements that read a list, as they ran. */
async function nodesRead(query: BatchQuery) {
  const { db: recorded, sent } = recordStatements(db);
  const page = await listBatches({ ...context(), db: recorded }, query);
  const searches = sent.filter(({ text }) => text.includes("step as materialized"));
  const plans = searches.map(({ text, values }) => explain(db, text, values, { analyze: true }));
  return { page, nodes: nodesOf((await Promise.all(plans)).flat()) };
}

test.each<Metadata>([
  { part: "last", 2026: "yes" },
  { 2026: "yes", part: "last" },
  { region: "eu", part: "last", 2026: "yes" },
])("a list is searched by its rarest pair, whatever its key: %j", async (metadata) => {
  const { page, nodes } = await nodesRead({ contractAddress: contract, metadata });
  expect(page.rows.length).toBeGreaterThanOrEqual(3);
  expect(rowsRead(nodes, ["batches"])).toBeLessThanOrEqual(5);
});
