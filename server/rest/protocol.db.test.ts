import { beforeAll, describe, expect, test } from "vitest";
import { type BadInputWorld, batchBody, makeBadInputWorld, RECIPIENT } from "@/testing/bad-input";
import { type SentRequest, toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { handleRest } from "./handler";

const PAGE = "https://app.example.com";

const { db } = useLedger({ serves: true });
let world: BadInputWorld;
beforeAll(async () => {
  world = await makeBadInputWorld(db);
  process.env.CORS_ORIGINS = `${PAGE}, http://localhost:5173`;
});

const list = () => `/v1/contracts/${world.contract}/batches`;
const send = ({ headers = [], ...request }: Partial<SentRequest>) =>
  handleRest(
    toRestRequest({
      method: "GET",
      path: list(),
      body: [],
      ...request,
      headers: [["Authorization", `Bearer ${world.tokens.own}`], ...headers],
    }),
  );

describe("ETag", () => {
  const reads = () => [
    list(),
    `${list()}/pending`,
    `/v1/contracts/${world.contract}/point-balances`,
    "/v1/openapi.json",
  ];

  test("gives 304 without a body while the content is unchanged", async () => {
    for (const path of reads()) {
      const first = await send({ path });
      const etag = first.headers.get("etag")!;
      expect(etag, path).toMatch(/^"[\w-]{27}"$/);
      for (const given of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
        const again = await send({ path, headers: [["If-None-Match", given]] });
        expect([again.status, await again.text(), again.headers.get("etag")], `${path} ${given}`).toEqual([
          304,
          "",
          etag,
        ]);
        expect(again.headers.get("content-type")).toBeNull();
        expect(again.headers.get("x-request-id")).toBeTruthy();
      }
      for (const given of ['"other"', "", etag.slice(0, -2), etag.replaceAll('"', "")]) {
        expect((await send({ path, headers: [["If-None-Match", given]] })).status, given).toBe(200);
      }
    }
  });

  test("changes with the batch", async () => {
    const path = `${list()}/second`;
    const etag = (await send({ path })).headers.get("etag")!;
    expect((await send({ method: "DELETE", path })).status).toBe(200);
    const after = await send({ path, headers: [["If-None-Match", etag]] });
    expect(after.status).toBe(200);
    expect(after.headers.get("etag")).not.toBe(etag);
  });

  test("is the same for HEAD and GET, and absent from errors", async () => {
    const [get, head] = [await send({}), await send({ method: "HEAD" })];
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
    expect(
      (await send({ method: "HEAD", headers: [["If-None-Match", get.headers.get("etag")!]] })).status,
    ).toBe(304);
    const missing = await send({ path: `${list()}/missing`, headers: [["If-None-Match", "*"]] });
    expect([missing.status, missing.headers.get("etag")]).toEqual([404, null]);
  });

  test("does not prevent a change", async () => {
    const body = [Buffer.from(batchBody())];
    const headers = [
      ["If-None-Match", "*"],
      ["Content-Type", "application/json"],
    ] as const;
    expect((await send({ method: "POST", body, headers })).status).toBe(200);
  });
});

describe("OPTIONS", () => {
  test.each([
    [() => list(), "POST, GET, HEAD, OPTIONS"],
    [() => `${list()}/any`, "PUT, GET, DELETE, HEAD, OPTIONS"],
    [() => "/v1/openapi.json", "GET, HEAD, OPTIONS"],
    [() => "/v1/dapp-auth/solve", "POST, OPTIONS"],
  ])("lists the allowed methods without a token", async (path, allowed) => {
    const reply = await handleRest(toRestRequest({ method: "OPTIONS", path: path(), headers: [], body: [] }));
    expect([reply.status, reply.headers.get("allow"), await reply.text()]).toEqual([204, allowed, ""]);
  });

  test("is 404 for an unknown path", async () => {
    expect((await send({ method: "OPTIONS", path: "/v1/nothing" })).status).toBe(404);
  });
});

describe("pages of other origins", () => {
  const preflight = (origin: string) =>
    send({
      method: "OPTIONS",
      headers: [
        ["Origin", origin],
        ["Access-Control-Request-Method", "POST"],
      ],
    });
  const cors = (reply: Response) =>
    [...reply.headers.keys()].filter((name) => name.startsWith("access-control"));

  test("that are listed can preflight, send and read replies, including errors", async () => {
    const asked = await preflight(PAGE);
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-origin")).toBe(PAGE);
    expect(asked.headers.get("access-control-allow-methods")).toContain("POST");
    expect(asked.headers.get("access-control-allow-headers")).toMatch(/Authorization.*Content-Type/);
    for (const path of [list(), "/v1/nothing"]) {
      const reply = await send({ path, headers: [["Origin", PAGE]] });
      expect(reply.headers.get("access-control-allow-origin"), path).toBe(PAGE);
      expect(reply.headers.get("access-control-expose-headers")).toContain("Retry-After");
      expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
      expect(reply.headers.get("vary")).toBe("Origin");
    }
  });

  test.each([
    "https://evil.example",
    "https://app.example.com.evil.example",
    "null",
    "http://app.example.com",
    "",
  ])("that are not listed (%j) get no CORS headers", async (origin) => {
    expect(cors(await preflight(origin))).toEqual([]);
    const reply = await send({ headers: [["Origin", origin]] });
    expect([reply.status, cors(reply), reply.headers.get("vary")]).toEqual([200, [], "Origin"]);
  });
});

describe("a dry run", () => {
  const body = (change: Record<string, unknown> = {}) => [Buffer.from(batchBody(change))];
  const json = [["Content-Type", "application/json"]] as const;

  test.each(["POST", "PUT"])(
    "by %s returns what a submit would do, and ?dryRun=false does it",
    async (method) => {
      const path = method === "PUT" ? `${list()}/dry-run` : list();
      const dry = await send({ method, path: `${path}?dryRun=true`, body: body(), headers: json });
      expect([dry.status, await dry.json()]).toEqual([
        200,
        expect.objectContaining({
          dryRun: true,
          points: "10.5",
          batchId: method === "PUT" ? "dry-run" : null,
        }),
      ]);
      expect((await send({ path: `${list()}/dry-run` })).status).toBe(404);
      const done = await send({ method, path: `${path}?dryRun=false`, body: body(), headers: json });
      expect(await done.json()).toEqual({ success: true, batchId: expect.any(String) });
    },
  );

  test("lists every invalid row, not only the first hundred", async () => {
    const transfers = Array.from({ length: 2000 }, () => ({ toAddress: RECIPIENT.slice(1), points: "x" }));
    const refused = async (query: string) =>
      (await (
        await send({ method: "POST", path: `${list()}${query}`, body: body({ transfers }), headers: json })
      ).json()) as { errors: object[]; errorCount: number };
    const [dry, real] = [await refused("?dryRun=true"), await refused("")];
    expect([dry.errors.length, dry.errorCount]).toEqual([4000, 4000]);
    expect([real.errors.length, real.errorCount]).toEqual([100, 4000]);
  });

  test("lists no more than a full batch can have: 100 unknown fields per object, four errors per row", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, 0]));
    const rows = (row: object) => ({ transfers: Array.from({ length: 2000 }, () => row) });
    for (const [fields, named, count] of [
      [unknown, 100, 50_000],
      [rows({ to: RECIPIENT, amount: "1" }), 8000, 8000],
      [rows({ to: RECIPIENT, amount: "1", memo: "" }), 8100, 10_000],
    ] as const) {
      const given = { method: "POST", path: `${list()}?dryRun=true`, body: body(fields), headers: json };
      const { errors, errorCount, detail } = (await (await send(given)).json()) as Record<string, unknown>;
      expect([(errors as object[]).length, errorCount]).toEqual([named, count]);
      expect(detail).toBe(`${count} fields are invalid.`);
    }
  });
});
