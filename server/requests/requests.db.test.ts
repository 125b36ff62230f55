import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createAccessToken, DEFAULT_SCOPES, makeToken, revokeToken } from "@/server/auth/tokens";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { startMetrics } from "@/server/kernel/metrics/process-metrics";
import { explain, nodesOf, rowsRead, statementsOf } from "@/testing/explain";
import { times } from "@/testing/factories";
import { callApi } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { type KeptRequest, noteRequest, PER_HOUR_MAX, requestsKept, storeRequests } from "./keep-requests";
import { findRequests, groupRequests, listRequests } from "./list-requests";

beforeAll(() => void vi.stubEnv("METRICS_TOKEN", "metrics-token-of-this-test"));
afterAll(() => vi.unstubAllEnvs());

const { db, context, newContract, useContract } = useLedger({ serves: true });
const contract = useContract();
const other = useContract();

const newToken = (contractAddress: string) =>
  createAccessToken(context("ops"), {
    contractAddress,
    name: "payouts",
    scopes: [...DEFAULT_SCOPES],
    expiresAt: null,
  });
let own: { token: string; id: string };
beforeAll(async () => {
  own = await newToken(contract);
});
beforeEach(async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  await db.sql`delete from request_log`;
});

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  callApi(
    own.token,
    method,
    path.startsWith("/v1") ? path : `/v1/contracts/${contract}${path}`,
    body,
    headers,
  );
const listed = async (query = "") =>
  (await send("GET", `/requests${query}`)).body as Awaited<ReturnType<typeof listRequests>>;
const rows = async () =>
  (await db.sql`select request_log::text as row from request_log`).map(({ row }) => row);
const dropped = async () => {
  const { values } = await (await startMetrics()).requestsNotKept.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.reason, value]));
};

const BATCH = { pointType: "PHASE2_POINTS", transfers: [{ toAddress: `0x${"1".repeat(40)}`, points: "1" }] };

test("a refused submit is listed with its first five errors, the token and the caller's network, and found by its request ID", async () => {
  const transfers = Array.from({ length: 7 }, (_, row) => ({
    toAddress: `0x${String(row + 1).repeat(40)}`,
    points: "0",
  }));
  const refused = await send("PUT", "/batches/wrong", { ...BATCH, transfers });
  await requestsKept();
  const { requests, cursor } = await listed();
  expect(refused.body.errorCount).toBe(7);
  expect([requests.length, cursor]).toEqual([1, null]);
  expect(requests[0]).toEqual({
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    operation: "PUT /v1/contracts/{contractAddress}/batches/{batchId}",
    status: 400,
    code: "validation_failed",
    requestId: refused.body.requestId,
    tokenId: own.id,
    caller: "token:payouts",
    network: "198.51.100.0/24",
    errors: refused.body.errors.slice(0, 5),
  });
  expect(refused.body.instance).toBe(`/requests/${refused.body.requestId}`);
  expect(await findRequests(db, refused.body.requestId)).toMatchObject([{ contractAddress: contract }]);
  expect(await findRequests(db, "another")).toEqual([]);
});

test("nothing of a body, a header or a query is stored, wherever a caller puts a secret", async () => {
  const key = "0123456789abcdef".repeat(4);
  const odd = "\ud800\u0000";
  const secret = own.token;
  const split = "wJalrXUtnFEMI/K7MDENG?bPxRfiCYEXAMPLEKEY";
  const short = "hunter2";
  const bodies = [
    { ...BATCH, [split]: 1, [short]: 1 },
    { ...BATCH, metadata: { [short]: "\u0000", [`${short}!`]: "x" } },
    { ...BATCH, transfers: [{ toAddress: "0x", points: "1", [short]: 1 }] },
    { ...BATCH, [secret]: 1, [key]: 2, password: secret, [odd]: odd },
    { ...BATCH, transfers: [{ toAddress: secret, points: key, [secret]: key, reference: `${secret}!` }] },
    { pointType: secret },
    secret,
  ];
  for (const body of bodies)
    await send(
      "POST",
      `/batches?access_token=${secret}&${secret}=1&${key}=${key}&${split}=1&${short}=1`,
      body,
      {
        "X-Request-Id": `id-${secret}`,
        "Idempotency-Key": `${secret} é`,
        Cookie: secret,
        "User-Agent": secret,
      },
    );
  for (const body of bodies) await send("PUT", `/batches/${secret}!`, body, { "X-Request-Id": secret });
  vi.mocked(Math.random).mockReturnValue(0);
  for (const query of [`metadata[${short}!]=x`, `metadata[${short}]=x&metadata[${short}]=y`, `${short}[a]=x`])
    await send("GET", `/batches?${query}`);
  await requestsKept();
  const stored = await rows();
  expect(stored.length).toBe(17);
  expect(stored.join("\n")).not.toMatch(/FEMI|EXAMPLEKEY|hunter/);
  for (const pointer of [
    "/…",
    "/transfers/0/…",
    "/metadata/…",
    "?…",
    "?metadata[…",
    "/transfers/0/toAddress",
  ])
    expect(stored.join("\n")).toContain(`"${pointer}"`);
  for (const text of [secret, secret.slice(4, 20), key]) expect(stored.join("\n")).not.toContain(text);
});

test("a request ID that reveals a token is replaced, whichever part of it and wherever", async () => {
  const given = [
    own.token.slice(4),
    own.token.slice(4, 34),
    `id:${own.token.slice(-20)}`,
    `a${makeToken("operator").slice(4)}b`,
  ];
  for (const id of given) {
    const { body, headers } = await send("PUT", "/batches/wrong", {}, { "X-Request-Id": id });
    expect(body.requestId, id).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("x-request-id")).toBe(body.requestId);
  }
  await requestsKept();
  for (const id of given) expect((await rows()).join("\n")).not.toContain(id);
});

test("every refused write is kept, and one in a hundred of the rest", async () => {
  const caller = {
    contractKey: contract,
    tokenId: null,
    actor: "token:t",
    clientAddress: "2001:db8:1:2::/64",
  };
  const note = (method: string, status: number, random: number) =>
    noteRequest({ request: { method }, route: "/r", requestId: "r", caller }, status, () => random);
  for (const method of ["POST", "PUT", "DELETE"]) note(method, 400, 0.999);
  for (const random of [0.01, 0.5, 0.999])
    for (const [method, status] of [
      ["GET", 200],
      ["GET", 404],
      ["HEAD", 404],
      ["PUT", 200],
    ] as const)
      note(method, status, random);
  note("GET", 200, 0);
  note("PUT", 200, 0.0099);
  note("GET", 404, 0.0099);
  await requestsKept();
  expect((await listed()).requests.map(({ operation, status }) => `${operation} ${status}`).sort()).toEqual([
    "DELETE /r 400",
    "GET /r 200",
    "GET /r 404",
    "POST /r 400",
    "PUT /r 200",
    "PUT /r 400",
  ]);
  expect((await listed()).requests[0]!.network).toBe("2001:db8:1::/48");
});

test("only the holder of a contract's token, even a revoked one, adds to the contract's log, and no other contract sees it", async () => {
  const revoked = await newToken(contract);
  await revokeToken(context("ops"), { contractAddress: contract, tokenId: revoked.id });
  const foreign = await newToken(other);
  const submit = (token: string | null) =>
    send("POST", "/batches", {}, { Authorization: token === null ? "" : `Bearer ${token}` });
  for (const token of [null, "ptb_x", `${own.token.slice(0, -6)}AAAAAA`]) await submit(token);
  await submit(foreign.token);
  await submit(revoked.token);
  await requestsKept();
  expect((await listed()).requests).toMatchObject([{ code: "expired_token", tokenId: revoked.id }]);
  const asOther = { Authorization: `Bearer ${foreign.token}` };
  const ofOther = await send("GET", `/v1/contracts/${other}/requests`, undefined, asOther);
  expect(ofOther.body.requests).toMatchObject([{ code: "wrong_contract", tokenId: foreign.id }]);
  expect(await send("GET", "/requests", undefined, asOther)).toMatchObject({
    status: 403,
    body: { code: "wrong_contract" },
  });
});

const row = (change: Partial<KeptRequest> = {}): KeptRequest => ({
  contract_address: `\\x${contract.slice(2)}`,
  created_at: "2026-01-01T10:59:59.000Z",
  operation: "PUT /r",
  status: 400,
  code: "validation_failed",
  request_id: "r",
  token_id: null,
  caller: "token:t",
  client_network: "198.51.100.0/24",
  errors: undefined,
  ...change,
});
const many = (count: number, change?: Partial<KeptRequest>) =>
  Array.from({ length: count }, () => row(change));

test("a contract's rows are bounded per hour, also for writers at the same time, and other hours and contracts have their own bound", async () => {
  const stored = await times(8, () => storeRequests(db, many(300)));
  expect(stored.reduce((sum, count) => sum + count)).toBe(PER_HOUR_MAX);
  const next = { created_at: "2026-01-01T11:00:00.000Z" };
  const mixed = [...many(5), ...many(2, { contract_address: `\\x${other.slice(2)}` }), ...many(3, next)];
  expect(await storeRequests(db, mixed)).toBe(5);
  expect(await rows()).toHaveLength(PER_HOUR_MAX + 5);
});

test("requests with an ended token are bounded per contract and hour in the database, and take no place of others", async () => {
  const unauthorized = { status: 401, code: "expired_token" } as const;
  const stored = await times(4, () => storeRequests(db, many(60, unauthorized)));
  expect(stored.reduce((sum, count) => sum + count)).toBe(100);
  expect(await storeRequests(db, many(950, unauthorized))).toBe(0);
  expect(await storeRequests(db, [...many(950, unauthorized), ...many(900)])).toBe(900);
  expect(await storeRequests(db, many(1))).toBe(0);
});

test("what exceeds the queue, the hour or the database's patience is dropped and counted, and requests are answered as ever", async () => {
  await startMetrics();
  const note = (contractKey: string, status = 400) =>
    noteRequest(
      {
        request: { method: "PUT" },
        route: "/r",
        requestId: "r",
        caller: { contractKey, tokenId: null, actor: "token:t", clientAddress: "unknown" },
      },
      status,
    );
  const third = await newContract();
  for (let sent = 0; sent < 101; sent++) note(third, 401);
  expect(await dropped()).toEqual({ hour: 1 });
  for (let sent = 100; sent < PER_HOUR_MAX + 2; sent++) note(third);
  expect(await dropped()).toEqual({ hour: 3 });
  for (let sent = 0; sent < 4; sent++) note(other);
  expect(await dropped()).toEqual({ hour: 3, queue: 4 });
  await requestsKept();
  expect(await rows()).toHaveLength(PER_HOUR_MAX);
  await db.sql`alter table request_log rename to request_log_away`;
  const refused = await send("PUT", "/batches/wrong", {});
  await requestsKept();
  await db.sql`alter table request_log_away rename to request_log`;
  expect(refused).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  expect(await dropped()).toEqual({ hour: 3, queue: 4, database: 1 });
  await send("PUT", "/batches/wrong", {}, { "X-Request-Id": "later" });
  await requestsKept();
  expect((await listed()).requests).toMatchObject([{ requestId: "later" }]);
});

test.each([
  ["code", { code: "insufficient_points" }],
  ["token", { tokenId: randomUUID() }],
  ["request ID", { requestId: "r-rare" }],
])(
  "a page filtered by %s reads only what it returns, whatever the log has, and whatever its callers chose",
  async (_, filter) => {
    const [found, otherContract] = [await newContract(), await newContract()];
    const given = { code: "validation_failed", tokenId: randomUUID(), requestId: "r", ...filter };
    const fill = (address: string, rows: number, { code, tokenId, requestId }: typeof given) => db.sql`
    insert into request_log (contract_address, created_at, operation, status, code, request_id, token_id, caller,
      client_network)
    select ${addressToBytes(address)}, now() - i * interval '1 second', 'PUT /r', 400, ${code}, ${requestId},
      ${tokenId}::uuid, 'token:t', '198.51.100.0/24' from generate_series(1, ${rows}::int) as i`;
    await fill(found, 20_000, { code: "validation_failed", tokenId: randomUUID(), requestId: "r" });
    await fill(otherContract, 20_000, given);
    await fill(found, 3, given);
    await db.sql`vacuum analyze request_log`;
    const { sent } = await statementsOf(db.url, (sql) =>
      listRequests({ ...context(), db: { ...db, sql } }, { contractAddress: found, ...filter }),
    );
    const { text, values } = sent.at(-1)!;
    for (const generic of [false, true]) {
      const plan = nodesOf(await explain(db, text, values, { generic, analyze: !generic }));
      expect(plan.map((node) => node["Node Type"])).not.toContain("Sort");
      expect(
        plan.every((node) => node.Filter === undefined),
        JSON.stringify(plan),
      ).toBe(true);
      if (!generic) expect(rowsRead(plan, ["request_log"])).toBe(3);
    }
  },
);

test("pages are newest first and repeat nothing, and can be filtered by code, token, ID and time", async () => {
  const at = (minute: number) => `2026-01-01T10:0${minute}:00.000Z`;
  await storeRequests(db, [
    ...[1, 2, 2, 2, 3].map((minute, index) => row({ created_at: at(minute), request_id: `r${index}` })),
    row({ created_at: at(4), request_id: "r5", token_id: own.id, code: undefined, status: 200 }),
    row({ created_at: at(5), request_id: "r6", code: "insufficient_points", status: 422 }),
  ]);
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await listed(`?limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...page.requests.map(({ requestId }) => requestId));
    cursor = page.cursor;
  }
  expect(seen).toEqual(["r6", "r5", "r4", "r3", "r2", "r1", "r0"]);
  const ids = async (query: string) => (await listed(query)).requests.map(({ requestId }) => requestId);
  expect(await ids("?code=insufficient_points")).toEqual(["r6"]);
  expect(await ids(`?tokenId=${own.id}`)).toEqual(["r5"]);
  expect(await ids("?requestId=r2")).toEqual(["r2"]);
  expect(await ids(`?createdAfter=${at(2)}&createdBefore=${at(5)}`)).toEqual(["r5", "r4"]);
  const { requests } = await groupRequests(context(), { contractAddress: contract });
  expect(requests.map(({ requestId, count }) => [requestId, count])).toEqual([
    ...[
      ["r6", 1],
      ["r5", 1],
      ["r4", 5],
    ],
  ]);
  const { cursor } = await listed("?limit=2");
  expect((await send("GET", `/requests?code=not_found&cursor=${cursor}`)).body.code).toBe("cursor_mismatch");
});
