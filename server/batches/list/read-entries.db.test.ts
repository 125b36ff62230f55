import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { beforeAll, expect, test, vi } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { database } from "@/server/kernel/database";
import { SEARCHED_MAX } from "@/server/kernel/search-in-steps";
import { settings } from "@/server/kernel/settings";
import { BATCH_STATUSES, type Metadata } from "@/terms/batch-terms";
import { explain, nodesOf, recordStatements, rowsRead } from "@/testing/explain";
import { withoutTriggers } from "@/testing/factories";
import { callApi, toRestRequest } from "@/testing/rest-request";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { type BatchQuery, listBatches } from "./list-batches";

const { db, context, useContract } = useLedger({ balances: false, serves: true });
const contract = useContract();
const EACH = SEARCHED_MAX + 100;
let token: string;

/**
 * The older half of the batches is of the campaign "summer", the newer one of the region "eu", and each is
 * more than one page searches. Only the oldest batch is of both. All have the key `2026`, five the part
 * "last", and the oldest one a tag.
 */
beforeAll(async () => {
  const scopes = ["batches:read" as const];
  const asked = { contractAddress: contract, name: "test", scopes, expiresAt: null };
  token = (await createAccessToken(context("ops"), asked)).token;
  for (let from = 1; from < 2 * EACH; from += EACH)
    await withoutTriggers(
      db,
      `with made as (
         insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds,
           digest, submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at)
         select decode('${contract.slice(2)}', 'hex'), 'b-' || n, 'PHASE2_POINTS', 'FINALIZED', 1, 1, 60,
           sha256(n::text::bytea), 'token:test', 'r', at, at, at, at
         from generate_series(${from}, ${from + EACH - 1}) n
         cross join lateral (select timestamptz '2026-03-01' + n * interval '1 second' as at) as made
         returning contract_address, seq, substring(id from 3)::int as n, created_at
       )
       insert into batch_metadata (contract_address, batch_seq, key, value, created_at)
       select contract_address, seq, key, value, created_at
       from made cross join (
         values ('2026', 'yes'), ('campaign', 'summer'), ('region', 'eu'), ('part', 'last'), ('tag', 'oldest')
       ) as m (key, value)
       where key = '2026' or key = 'campaign' and n <= ${EACH} or key = 'region' and (n = 1 or n > ${EACH})
         or key = 'part' and n % 10000 = 1 or key = 'tag' and n = 1`,
    );
  await db.sql`vacuum analyze batches, batch_metadata`;
});

const list = (query: string) => callApi(token, "GET", `/v1/contracts/${contract}/batches?${query}`);

test("a list by two common pairs that hardly overlap ends its page, and its cursor continues", async () => {
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

const isStep = (text: string) => text.includes("step as materialized");

/** Asks the API for the only match, with something that happens when the first step of the search is sent. */
async function searchWith(happens: (caller: AbortController) => void) {
  // Imported late, because it reads settings.
  const { handleRest } = await import("@/server/rest/handler");
  const { orm } = database();
  const caller = new AbortController();
  const execute = orm.execute.bind(orm);
  const steps: PromiseLike<unknown>[] = [];
  const spy = vi.spyOn(orm, "execute").mockImplementation((query) => {
    const sent = execute(query);
    if (!isStep(new PgDialect().sqlToQuery(query as SQL).sql)) return sent;
    if (steps.length === 0) happens(caller);
    steps.push(sent);
    return sent;
  });
  const query = "metadata[campaign]=summer&metadata[region]=eu";
  const headers = [["Authorization", `Bearer ${token}`]] as const;
  const path = `/v1/contracts/${contract}/batches?${query}`;
  const request = toRestRequest({ method: "GET", path, headers, body: [] });
  const reply = await handleRest(Object.assign(request, { signal: caller.signal }), "198.51.100.77");
  await Promise.all(steps);
  // A next step would have been sent by now.
  await new Promise(setImmediate);
  spy.mockRestore();
  return { status: reply.status, body: JSON.parse(await reply.text()), steps: steps.length };
}

test("no step of a search begins for a caller who has left", async () => {
  const { steps } = await searchWith((caller) => caller.abort());
  expect(steps).toBe(1);
});

test("a search that has used half of its request's time ends its page", async () => {
  const now = performance.now.bind(performance);
  const halfMs = (settings().DATABASE_TIMEOUT_SECONDS + 1) * 500;
  const { status, body, steps } = await searchWith(() => {
    vi.spyOn(performance, "now").mockImplementation(() => now() + halfMs);
  });
  vi.restoreAllMocks();
  expect({ status, batch: body.batch, steps }).toEqual({ status: 200, batch: [], steps: 1 });
  const found = [];
  for (let { cursor } = body; cursor !== null; ) {
    const { body: page } = await list(`metadata[campaign]=summer&metadata[region]=eu&cursor=${cursor}`);
    found.push(...page.batch.map(({ id }: { id: string }) => id));
    cursor = page.cursor;
  }
  expect(found).toEqual(["b-1"]);
});

/** The plan steps of the statements that read a list, as they ran. */
async function nodesRead(query: BatchQuery) {
  const { db: recorded, sent } = recordStatements(db);
  const page = await listBatches({ ...context(), db: recorded }, query);
  const searches = sent.filter(({ text }) => isStep(text));
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

test("the counts beside a list by several pairs are of its batches", async () => {
  // The first pair by key, with which they are searched, is rare enough for exact counts.
  const filters = { contractAddress: contract, metadata: { part: "last", region: "eu", tag: "oldest" } };
  const { counts, isWhole } = await callerOf(db, "viewer").batches.facets(filters);
  const { rows } = await listBatches(context(), filters);
  const counted = BATCH_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  expect({ listed: rows.length, counted, isWhole }).toEqual({ listed: 1, counted: 1, isWhole: true });
});

test("a list by more than five pairs is refused, by the API and the console", async () => {
  const pairs = (count: number) => Array.from({ length: count }, (_, at) => [`key-${at}`, "x"] as const);
  const query = (count: number) =>
    String(new URLSearchParams(pairs(count).map(([key, value]) => [`metadata[${key}]`, value])));
  expect((await list(query(5))).status).toBe(200);
  const error = { pointer: "/metadata", code: "out_of_range", detail: "must have at most 5 keys" };
  const { status, body } = await list(query(6));
  expect([status, body.errors]).toEqual([400, [error]]);
  const { batches } = callerOf(db, "viewer");
  const listed = (count: number) => batches.list({ metadata: Object.fromEntries(pairs(count)) });
  expect((await listed(5)).batches).toEqual([]);
  await expect(listed(6)).rejects.toThrow(error.detail);
});
