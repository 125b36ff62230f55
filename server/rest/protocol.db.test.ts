import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { idOfKey } from "@/server/batches/submit/digest";
import { type HttpServer, listen } from "@/server/host/http-server";
import { toRestRequest as fromMessage, sendReply } from "@/server/host/replies";
import { type BadInputWorld, batchBody, makeBadInputWorld, RECIPIENT } from "@/testing/bad-input";
import { type SentRequest, sendRaw, toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { answerRest, handleRest } from "./handler";

const PAGE = "https://app.example.com";

const { db } = useLedger({ serves: true });
let world: BadInputWorld;
beforeAll(async () => {
  world = await makeBadInputWorld(db);
  process.env.CORS_ORIGINS = `${PAGE}, http://localhost:5173`;
});

const RIGHT = Buffer.from(batchBody());
const list = () => `/v1/contracts/${world.contract}/batches`;

/** Sends with the contract's token, and a body as JSON unless the request sets another type. */
function send({ headers: given = [], body = [], ...request }: Partial<SentRequest>): Promise<Response> {
  const headers = [...given, ["Authorization", `Bearer ${world.tokens.own}`] as const];
  const isTyped = given.some(([name]) => name === "Content-Type");
  if (body.length > 0 && !isTyped) headers.push(["Content-Type", "application/json"]);
  const method = body.length > 0 ? "POST" : "GET";
  return handleRest(toRestRequest({ method, path: list(), body, ...request, headers }));
}

describe("unusual but valid requests", () => {
  test("Content-Type may have parameters, in any letter case", async () => {
    for (const type of [
      "APPLICATION/JSON; charset=utf-8",
      'application/json;charset="UTF-8"',
      "application/json; profile=x",
      "application/json; charset=utf-8;",
    ])
      expect((await send({ body: [RIGHT], headers: [["Content-Type", type]] })).status, type).toBe(200);
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
      { success: true, batchId: expect.any(String), replayed: false },
    ]);
  });

  test("HEAD returns the same as GET without a body, also for errors", async () => {
    const found = await send({ method: "HEAD" });
    expect([found.status, await found.text(), found.headers.get("content-type")]).toEqual([
      200,
      "",
      "application/json",
    ]);
    const missing = await send({ method: "HEAD", path: `${list()}/unknown` });
    expect([missing.status, await missing.text()]).toEqual([404, ""]);
  });

  test("a valid X-Request-Id is returned, and any other replaced", async () => {
    for (const given of ["trace-1", "x".repeat(128), "x".repeat(129), "a b", "<script>", ""]) {
      const id = (await send({ headers: [["X-Request-Id", given]] })).headers.get("x-request-id");
      if (/^[x\w-]{1,128}$/.test(given)) expect(id).toBe(given);
      else expect(id, given).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe("replies", () => {
  test("for one batch have transfers in the order sent, amounts in shortest form and times in milliseconds", async () => {
    const transfers = [
      { toAddress: `0x${"ab".repeat(20)}`, points: "2.500" },
      { toAddress: RECIPIENT, points: "10.000000000000" },
    ];
    await send({
      method: "PUT",
      path: `${list()}/whole`,
      body: [Buffer.from(batchBody({ transfers, secondsToFinalize: 3600 }))],
    });
    const { batch } = (await (await send({ path: `${list()}/whole` })).json()) as {
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

describe("ETag", () => {
  test("changes with the batch, and is absent from errors", async () => {
    const path = `${list()}/second`;
    const etag = (await send({ path })).headers.get("etag")!;
    expect((await send({ method: "DELETE", path })).status).toBe(200);
    const after = await send({ path, headers: [["If-None-Match", etag]] });
    expect(after.status).toBe(200);
    expect(after.headers.get("etag")).not.toBe(etag);
    const missing = await send({ path: `${list()}/missing`, headers: [["If-None-Match", "*"]] });
    expect([missing.status, missing.headers.get("etag")]).toEqual([404, null]);
  });
});

describe("Idempotency-Key", () => {
  const keyed = async (key: string, change: Record<string, unknown> = {}, query = "") => {
    const reply = await send({
      path: list() + query,
      body: [Buffer.from(batchBody(change))],
      headers: [["Idempotency-Key", key]],
    });
    const body = (await reply.json()) as { batchId: string; replayed?: boolean };
    return { status: reply.status, wasReplayed: reply.headers.get("idempotent-replayed"), ...body };
  };
  const count = async () => (await db.sql`select 1 from batches`).length;

  test("stores one batch however often it is sent, also at the same time, under an ID that never changes", async () => {
    const before = await count();
    const replies = await Promise.all(Array.from({ length: 5 }, () => keyed("payday ~1")));
    expect(new Set(replies.map(({ status, batchId }) => `${status} ${batchId}`)).size).toBe(1);
    const said = replies.map(({ wasReplayed, replayed }) => `${wasReplayed} ${replayed}`);
    expect(said.sort()).toEqual(["null false", ...Array(4).fill("true true")]);
    expect(await count()).toBe(before + 1);
    expect(idOfKey(`0x${"Aa".repeat(20)}`, "payday ~1")).toBe("91708fe7-ce77-868c-837b-7155c9fec307");
    for (const [contract, key] of [
      [world.other, "payday ~1"],
      [world.contract, "payday ~2"],
    ] as const)
      expect(idOfKey(contract, key)).not.toBe(replies[0]!.batchId);
  });

  test("with other content is refused with both digests, and of a cancelled batch says so, in a dry run, too", async () => {
    const predicted = await keyed("once", {}, "?dryRun=true");
    expect(predicted).toMatchObject({ dryRun: true, points: "10.5", replayed: false });
    const { batchId, wasReplayed } = await keyed("once");
    expect([batchId, wasReplayed]).toEqual([predicted.batchId, null]);
    for (const query of ["", "?dryRun=true"])
      expect(await keyed("once", { secondsToFinalize: 3601 }, query)).toMatchObject({
        status: 422,
        code: "idempotency_key_reused",
        detail: `The \`Idempotency-Key\` is already used by the batch ${batchId} with the same transfer. Only \`secondsToFinalize\` differs.`,
        storedDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
        sentDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    expect(await keyed("once", {}, "?dryRun=true")).toMatchObject({ batchId, replayed: true });
    await send({ method: "DELETE", path: `${list()}/${batchId}` });
    for (const query of ["", "?dryRun=true"])
      expect(await keyed("once", {}, query)).toMatchObject({
        status: 422,
        code: "batch_cancelled",
        detail: expect.stringMatching(/Send it again with a new `Idempotency-Key`\.$/),
      });
  });
});

describe("a request whose Idempotency-Key belongs to a POST", () => {
  const withKey = (method: string, path = list(), headers: (readonly [string, string])[] = []) =>
    send({ method, path, headers: [["Idempotency-Key", "payday"], ...headers] });

  test.each(["", "?dryRun=true", "/second", "/second/root"])(
    "is refused as a GET of …/batches%s, and says that a redirect has probably changed it",
    async (path) => {
      const refused = await withKey("GET", list() + path);
      expect([refused.status, await refused.json()]).toEqual([
        400,
        expect.objectContaining({
          code: "validation_failed",
          detail: expect.stringMatching(/^A redirect has probably turned your POST into a GET/),
          errors: [expect.objectContaining({ pointer: "/Idempotency-Key", code: "invalid_value" })],
        }),
      ]);
      expect((await withKey("HEAD", list() + path)).status).toBe(400);
    },
  );

  test("is refused as a DELETE, and cancels nothing", async () => {
    const path = `${list()}/not-redirected`;
    await send({ method: "PUT", path, body: [RIGHT] });
    const refused = await withKey("DELETE", path);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ detail: "A DELETE takes no `Idempotency-Key`. Nothing was done." }),
    ]);
    expect((await send({ method: "DELETE", path })).status).toBe(200);
  });

  test("is 401 without a token, which a redirect may have dropped, too", async () => {
    const headers = [["Idempotency-Key", "payday"] as const];
    const reply = await handleRest(toRestRequest({ method: "GET", path: list(), headers, body: [] }));
    expect(reply.status).toBe(401);
  });

  test.each([
    ["without a body", []],
    ["with {}", [Buffer.from("{}")]],
  ])("a GET or DELETE without a key is accepted with the Content-Type of JSON, %s", async (_, body) => {
    await send({ method: "PUT", path: `${list()}/plain-${body.length}`, body: [RIGHT] });
    const headers = [["Content-Type", "application/json"] as const];
    expect((await send({ method: "GET", headers, body })).status).toBe(200);
    const path = `${list()}/plain-${body.length}`;
    expect((await send({ method: "DELETE", path, headers, body })).status).toBe(200);
  });
});

describe("a header that decides what is paid", () => {
  let host: HttpServer;
  beforeAll(async () => {
    host = await listen({ host: "127.0.0.1", port: 0 }, async (message, reply, path) => {
      await sendReply(message, reply, await answerRest(fromMessage(message, reply, path)), 0);
    });
  });
  afterAll(() => host.close(0));

  /** Sends a batch through the Node host and through a `Request`, whose headers are joined. */
  async function throughBothDoors(headers: (readonly [string, string])[], method = "POST") {
    const needed = [
      ["Content-Type", "application/json"] as const,
      ["Authorization", `Bearer ${world.tokens.own}`] as const,
    ];
    const own = needed.filter(([name]) => !headers.some(([given]) => given === name));
    const sent = { method, path: list(), headers: [...own, ...headers], body: [RIGHT] };
    const [byHost, byNext] = [
      await sendRaw(`http://127.0.0.1:${host.port}`, sent),
      await handleRest(toRestRequest(sent)),
    ];
    return [JSON.parse(byHost.text), await byNext.json()];
  }

  const twice = (name: string, ...values: string[]) => values.map((value) => [name, value] as const);
  const key = (...values: string[]) => twice("Idempotency-Key", ...values);

  test.each([
    ["the same", key("k", "k")],
    ["another", key("k", "other")],
    ["three times", key("k", "k", "k")],
    ["in another case", [...key("k"), ["IDEMPOTENCY-KEY", "k"] as const]],
    ["also empty", key("", "k")],
    ["joined by a proxy", key("k, k")],
    ["joined without a space", key("k,k,k")],
  ])("sent more than once, %s, is refused and stores nothing", async (_, headers) => {
    await throughBothDoors(key("k"));
    const before = await db.sql`select id from batches`;
    for (const refused of await throughBothDoors(headers))
      expect(refused).toMatchObject({
        status: 400,
        code: "validation_failed",
        errors: [
          {
            pointer: "/Idempotency-Key",
            code: "invalid_value",
            detail: expect.stringMatching(/^is sent more than once/),
          },
        ],
      });
    expect(await db.sql`select id from batches`).toEqual(before);
  });

  test("with a comma in it is one key where that can be known, and refused where it cannot", async () => {
    const [byHost, byNext] = await throughBothDoors(key("payout, part 1"));
    const batchId = idOfKey(world.contract, "payout, part 1");
    expect(byHost).toEqual({ success: true, batchId, replayed: false });
    expect(byNext).toMatchObject({ code: "validation_failed" });
  });

  test.each(["Content-Type", "Authorization", "Content-Encoding"])("%s is refused, too", async (name) => {
    const values = {
      "Content-Type": ["application/json; a=b", "text/plain; charset=utf-8"],
      Authorization: [world.tokens.own, world.tokens.other].map((token) => `Bearer ${token}`),
      "Content-Encoding": ["identity", "gzip"],
    }[name]!;
    for (const refused of await throughBothDoors(twice(name, ...values)))
      expect(refused.success, JSON.stringify(refused)).toBe(false);
  });
});

test.each([
  ["metadata=x", "?metadata", "has keys: send `metadata[key]=value`"],
  ["metadata.campaign=x", "?metadata.campaign", "has keys: send `metadata[key]=value`"],
  ["metadata[campaign=x", "?metadata[campaign", "has keys: send `metadata[key]=value`"],
  ["status[]=PENDING", "?status[]", "has one value: send `status=value`"],
  ["status[0]=PENDING", "?status[0]", "has one value: send `status=value`"],
  ["limit.x=1", "?limit.x", "has one value: send `limit=value`"],
  ["metadatas=x", "?metadatas", "is not a parameter of this operation"],
])("the query %s gets the form in which the parameter is sent", async (query, pointer, detail) => {
  const { errors } = await (await send({ path: `${list()}?${query}` })).json();
  expect(errors).toEqual([{ pointer, code: "unknown_field", detail }]);
});

test("an Authorization header that is not `Bearer` and one token gets its form as the reason, and is never repeated", async () => {
  const { own } = world.tokens;
  const refusal = async (authorization: string) => {
    const headers = [["Authorization", authorization] as const];
    const reply = await handleRest(toRestRequest({ method: "GET", path: list(), headers, body: [] }));
    const { code, detail } = await reply.json();
    return [reply.status, code, detail];
  };
  for (const form of [own, `Token ${own}`, `Basic ${btoa(`:${own}`)}`, `Bearer Bearer ${own}`, "Bearer"])
    expect(await refusal(form), form).toEqual([
      401,
      "invalid_token",
      "The header must be `Authorization: Bearer <token>`: the word Bearer, a space and the token.",
    ]);
  const unknown = [401, "invalid_token", "The access token is malformed or unknown."];
  expect(await refusal(`Bearer ${own.slice(0, -1)}`)).toEqual(unknown);
});

const tooFew = { toAddress: RECIPIENT, points: "0.001" };
test.each<[string, Partial<SentRequest>, string]>([
  [
    "a body with several",
    { body: [Buffer.from(batchBody({ transfers: [tooFew, { ...tooFew, points: 1 }] }))] },
    "/transfers/0/points must be at least 0.01 PHASE2_POINTS (and 2 more errors).",
  ],
  [
    "a body with one",
    { body: [Buffer.from(batchBody({ transfers: [tooFew] }))] },
    "/transfers/0/points must be at least 0.01 PHASE2_POINTS.",
  ],
  [
    "a query with several",
    { path: "?x=1&limit=2&limit=3&y" },
    "?x is not a parameter of this operation (and 2 more errors).",
  ],
  ["a query with one", { path: "?x=1" }, "?x is not a parameter of this operation."],
  [
    "a body with a field of the path",
    { method: "PUT", path: "/k", body: [Buffer.from(batchBody({ batchId: "k" }))] },
    "/batchId is not a field of the body: send it in the path.",
  ],
  [
    "a body with a field of the query and one of a header",
    { body: [Buffer.from(batchBody({ "Idempotency-Key": "k", dryRun: true }))] },
    "/dryRun is not a field of the body: send it in the query (and 1 more error).",
  ],
])("the detail of %s begins with the first error and its field", async (_, request, detail) => {
  const refused = await (await send({ ...request, path: list() + (request.path ?? "") })).json();
  expect(refused).toMatchObject({ code: "validation_failed", detail });
  expect(detail.startsWith(`${refused.errors[0].pointer} ${refused.errors[0].detail}`)).toBe(true);
});

test.each([
  ["limit=1.0", 200],
  ["limit=1.00000000000000000000", 200],
  ["limit=1.5", 400],
  ["limit=1.", 400],
  ["limit=.0", 400],
  ["limit=200.0000000000001", 400],
])("a whole number may be written with a fraction of zeros: %s is %i", async (query, status) => {
  const reply = await send({ path: `${list()}?${query}` });
  expect(reply.status).toBe(status);
  if (status === 200) expect((await reply.json()).batch).toHaveLength(1);
  else expect((await reply.json()).detail).toBe("/limit must be a whole number.");
});

test("an empty parameter is refused by its name, never ignored: an empty dryRun would pay", async () => {
  const EMPTY = "is empty: send a value, or leave the parameter out";
  const before = await db.sql`select id from batches`;
  for (const [method, query] of [
    ...["status", "pointType", "cursor", "createdAfter", "createdBefore", "limit", "sort", "include"].map(
      (name) => ["GET", name] as const,
    ),
    ["POST", "dryRun"] as const,
  ])
    for (const given of [`?${query}=`, `?${query}`]) {
      const body = method === "POST" ? [RIGHT] : [];
      const refused = await (await send({ method, path: list() + given, body })).json();
      expect(refused, given).toMatchObject({
        status: 400,
        detail: `/${query} ${EMPTY}.`,
        errors: [{ pointer: `/${query}`, code: "invalid_value", detail: EMPTY }],
      });
    }
  expect(await db.sql`select id from batches`).toEqual(before);
});

test("a slash at the end of a path is not ignored, and the 404 says so where the path exists without it", async () => {
  const hint = "This path does not exist, but it does without the slash at its end.";
  for (const [method, path, detail] of [
    ["GET", `${list()}/`, hint],
    ["POST", `${list()}//`, hint],
    ["DELETE", `${list()}/any/`, hint],
    ["GET", "/v1/openapi.json/", hint],
    ["GET", "/v1/", "This path does not exist."],
    ["GET", "/v1/books/", "This path does not exist."],
    ["GET", `${list()}/any/other/`, "This path does not exist."],
  ] as const) {
    const reply = await send({ method, path, body: method === "POST" ? [RIGHT] : [] });
    expect([reply.status, (await reply.json()).detail], path).toEqual([404, detail]);
  }
});

test("OPTIONS lists the allowed methods without a token", async () => {
  for (const [path, allowed] of [
    [list(), "POST, GET, HEAD, OPTIONS"],
    [`${list()}/any`, "PUT, GET, DELETE, HEAD, OPTIONS"],
    ["/v1/openapi.json", "GET, HEAD, OPTIONS"],
  ] as const) {
    const reply = await handleRest(toRestRequest({ method: "OPTIONS", path, headers: [], body: [] }));
    expect([reply.status, reply.headers.get("allow"), await reply.text()]).toEqual([204, allowed, ""]);
  }
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

  test("that are not listed get no CORS headers", async () => {
    const lookalike = "https://app.example.com.evil.example";
    for (const origin of ["https://evil.example", lookalike, "null", "http://app.example.com", ""]) {
      expect(cors(await preflight(origin)), origin).toEqual([]);
      const reply = await send({ headers: [["Origin", origin]] });
      expect([reply.status, cors(reply), reply.headers.get("vary")]).toEqual([200, [], "Origin"]);
    }
  });
});

describe("a dry run", () => {
  const body = (change: Record<string, unknown> = {}) => [Buffer.from(batchBody(change))];

  test.each(["POST", "PUT"])(
    "by %s returns what a submit would do, and ?dryRun=false does it",
    async (method) => {
      const path = method === "PUT" ? `${list()}/dry-run` : list();
      const dry = await send({ method, path: `${path}?dryRun=true`, body: body() });
      const batchId = method === "PUT" ? "dry-run" : null;
      expect(dry.status).toBe(200);
      expect(await dry.json()).toMatchObject({ dryRun: true, points: "10.5", batchId });
      expect((await send({ path: `${list()}/dry-run` })).status).toBe(404);
      const done = await send({ method, path: `${path}?dryRun=false`, body: body() });
      expect(await done.json()).toEqual({ success: true, batchId: expect.any(String), replayed: false });
    },
  );
});

test("a name that a caller chose has no control character and no half character in a reply", async () => {
  for (const name of ["a\nb\u001b[2J\u007f", "\ud800", `${"x".repeat(63)}\u{1f600}`]) {
    const body = [Buffer.from(batchBody({ [name]: 1, metadata: { [name]: "x" } }))];
    const path = `${list()}?${new URLSearchParams({ [name]: "1" })}`;
    for (const refused of [await send({ body }), await send({ path })]) {
      const { detail, errors } = await refused.json();
      expect(errors.length).toBeGreaterThan(0);
      for (const text of [detail, ...errors.map(({ pointer }: { pointer: string }) => pointer)])
        expect(text).not.toMatch(/[\p{Cc}\p{Cs}]/u);
    }
  }
});
