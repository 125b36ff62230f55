import { beforeAll, describe, expect, test } from "vitest";
import { type BadInputWorld, batchBody, makeBadInputWorld, RECIPIENT } from "@/testing/bad-input";
import { type SentRequest, toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { handleRest } from "./handler";

const { db } = useLedger({ serves: true });
let world: BadInputWorld;

beforeAll(async () => {
  world = await makeBadInputWorld(db);
});

const RIGHT = Buffer.from(batchBody());
const path = () => `/v1/contracts/${world.contract}/batches`;

/** Sends with the contract's token, and as JSON unless the request sets another type. */
function send(request: Partial<SentRequest>): Promise<Response> {
  const headers = [...(request.headers ?? [])];
  const isTyped = headers.some(([name]) => name === "Content-Type");
  if (request.body && !isTyped) headers.push(["Content-Type", "application/json"]);
  headers.push(["Authorization", `Bearer ${world.tokens.own}`]);
  return handleRest(toRestRequest({ method: "POST", path: path(), body: [], ...request, headers }));
}
const put = (url: string) => send({ method: "PUT", path: url, body: [RIGHT] });

describe("unusual but valid requests", () => {
  test.each([
    "APPLICATION/JSON; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json; profile=x",
    "application/json;charset=UTF8",
    "application/json; charset=utf-8;",
  ])("Content-Type %s", async (type) => {
    expect((await send({ body: [RIGHT], headers: [["Content-Type", type]] })).status).toBe(200);
  });

  const otherOrder = {
    transfers: [{ points: "1", toAddress: RECIPIENT }],
    secondsToFinalize: null,
    pointType: "PHASE2_GOLD",
  };
  test.each([
    ["sent one byte per chunk", [...RIGHT].map((byte) => Buffer.from([byte]))],
    ["after a byte-order mark", [Buffer.from(`\ufeff${batchBody()}`)]],
    ["surrounded by white space", [Buffer.from(`\r\n\t ${batchBody()} \n`)]],
    ["with keys in a different order", [Buffer.from(JSON.stringify(otherOrder))]],
    ["of exactly 1 MiB", [Buffer.concat([RIGHT, Buffer.alloc(1_048_576 - RIGHT.byteLength, " ")])]],
  ])("a body %s", async (_, body) => {
    const response = await send({ body });
    expect([response.status, await response.json()]).toEqual([
      200,
      { success: true, batchId: expect.any(String) },
    ]);
  });

  test.each([
    "createdAfter=2026-01-31T12:00:00%2B14:00",
    "createdAfter=2026-01-31T12:00:00+02:00",
    "createdBefore=2026-01-31T12:00:00.5+0200",
    "createdAfter=2026-01-31T12:00:00%2B0000",
    "createdAfter=2026-01-31t12:00:00z",
    "createdAfter=0000-01-01T00:00:00Z",
    "createdBefore=9999-12-31T23:59:59Z",
    "createdAfter=2026-01-31",
    "createdAfter=2026-01-31T12:00:00.123456789Z",
    "limit=1",
    "limit=200",
    "limit=007",
    "",
    "sort=ASC",
    "status=PENDING&pointType=PHASE2_GOLD&sort=DESC&limit=3",
    "stat%75s=PENDING",
    "createdAfter=2030-01-01&createdBefore=2020-01-01",
  ])("a list with ?%s", async (query) => {
    const response = await send({ method: "GET", path: `${path()}?${query}` });
    expect(response.status, await response.clone().text()).toBe(200);
  });

  test.each(["bearer TOKEN", "BEARER  TOKEN", "Bearer   TOKEN"])("Authorization: %s", async (form) => {
    const authorization = form.replace("TOKEN", world.tokens.own);
    const headers = [["Authorization", authorization] as const];
    const request = toRestRequest({ method: "GET", path: path(), headers, body: [] });
    expect((await handleRest(request)).status).toBe(200);
  });

  test.each([
    ["in lower case", (address: string) => address.toLowerCase()],
    ["in upper case", (address: string) => `0x${address.slice(2).toUpperCase()}`],
    ["percent-encoded", (address: string) => `%30x${address.slice(2)}`],
  ])("a contract %s", async (_, write) => {
    const response = await send({
      method: "GET",
      path: `/v1/contracts/${write(world.contract)}/batches?limit=1`,
    });
    const { batch } = (await response.json()) as { batch: { contractAddress: string }[] };
    expect(batch[0]!.contractAddress).toBe(world.contract);
  });

  test.each([
    ["/", (path: string) => `/${path}`],
    ["/v1/", (path: string) => path.replace("/v1/", "/v1//")],
    ["several slashes everywhere", (path: string) => path.replaceAll("/", "///")],
  ])("a base URL that ends in %s", async (_, write) => {
    const response = await send({ body: [RIGHT], path: write(path()) });
    expect([response.status, await response.json()]).toMatchObject([200, { success: true }]);
    const listed = await send({ method: "GET", path: `${write(path())}?cursor=a//b` });
    expect([listed.status, await listed.json()]).toMatchObject([400, { code: "invalid_cursor" }]);
  });

  test.each(["GET", "DELETE"])("%s with a JSON content type and no body, or {}", async (method) => {
    for (const [at, text] of [null, "", "{}", " { } "].entries()) {
      const one = `${path()}/odd-${method}-${at}`;
      await put(one);
      const headers = [["Content-Type", "application/json"]] as const;
      const response = await send({
        method,
        path: one,
        body: text === null ? [] : [Buffer.from(text)],
        headers,
      });
      expect(response.status, await response.clone().text()).toBe(200);
    }
  });

  test("IDs with every allowed character are returned unchanged", async () => {
    for (const id of ["A-Za-z0-9._:~-", "...", "a:b", "x".repeat(64)]) {
      const one = `${path()}/${encodeURIComponent(id)}`;
      await put(one);
      expect(await (await send({ method: "GET", path: one })).json()).toMatchObject({ batch: { id } });
    }
  });

  test("only a repeated PUT has the replay header", async () => {
    const replayed = async () => (await put(`${path()}/again`)).headers.get("idempotent-replayed");
    expect([await replayed(), await replayed(), await replayed()]).toEqual([null, "true", "true"]);
  });

  test("HEAD returns the same as GET without a body, also for errors", async () => {
    const found = await send({ method: "HEAD" });
    expect([found.status, await found.text(), found.headers.get("content-type")]).toEqual([
      200,
      "",
      "application/json",
    ]);
    const missing = await send({ method: "HEAD", path: `${path()}/unknown` });
    expect([missing.status, await missing.text()]).toEqual([404, ""]);
  });

  test.each([
    ["trace-1", "trace-1"],
    ["x".repeat(128), "x".repeat(128)],
    ["x".repeat(129), null],
    ["a b", null],
    ["<script>", null],
    ["", null],
  ])("X-Request-Id %j is returned if it is valid", async (given, kept) => {
    const id = (await send({ method: "GET", headers: [["X-Request-Id", given]] })).headers.get(
      "x-request-id",
    );
    if (kept) expect(id).toBe(kept);
    else expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("replies", () => {
  test("of a list have exactly nine fields per batch, and always a cursor", async () => {
    const reply = (await (await send({ method: "GET", path: `${path()}?limit=200` })).json()) as {
      batch: object[];
    };
    expect(Object.keys(reply)).toEqual(["success", "batch", "cursor"]);
    expect(reply).toMatchObject({ success: true, cursor: null });
    const fields = [
      "id",
      "contractAddress",
      "pointType",
      "createdAt",
      "finalizeAt",
      "updatedAt",
      "status",
      "points",
      "transferCount",
    ];
    for (const batch of reply.batch) expect(Object.keys(batch).sort()).toEqual([...fields].sort());
  });

  test("for one batch have transfers in the order sent, amounts in shortest form and times in milliseconds", async () => {
    const transfers = [
      { toAddress: `0x${"ab".repeat(20)}`, points: "2.500" },
      { toAddress: RECIPIENT, points: "10.000000000000" },
    ];
    await send({
      method: "PUT",
      path: `${path()}/whole`,
      body: [Buffer.from(batchBody({ transfers, secondsToFinalize: 3600 }))],
    });
    const { batch } = (await (await send({ method: "GET", path: `${path()}/whole` })).json()) as {
      batch: Record<string, string>;
    };
    expect(batch).toMatchObject({
      id: "whole",
      status: "PENDING",
      points: "12.5",
      transferCount: 2,
      updatedAt: null,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      transfers: [
        { toAddress: "0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB", points: "2.5" },
        { toAddress: RECIPIENT, points: "10" },
      ],
    });
    expect(batch.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(batch.finalizeAt!) - Date.parse(batch.createdAt!)).toBe(3_600_000);
  });
});
