import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { type HttpServer, listen } from "@/server/host/http-server";
import { sendReply, toRestRequest } from "@/server/host/replies";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { batchOf, type NewContract } from "@/testing/factories";
import { type BreakPoint, FaultProxy } from "@/testing/fault-proxy";
import { listenLocally, stopServer } from "@/testing/local-servers";
import { lockAccount, untilBlocked } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { answerRest } from "./handler";

const RATE_PER_MINUTE = 20;
const BODY_BYTES_MAX = 1_048_576;

const { db, context, newContract } = useLedger({ serves: true });
let service: HttpServer;
/** Between the service and Postgres, and between its callers and the service. */
let toDatabase: FaultProxy;
let toService: FaultProxy;

beforeAll(async () => {
  toDatabase = await FaultProxy.start(db.url);
  vi.stubEnv("DATABASE_URL", toDatabase.through(db.url));
  vi.stubEnv("DATABASE_TIMEOUT_SECONDS", "3");
  vi.stubEnv("DATABASE_POOL_MAX", "4");
  vi.stubEnv("RATE_LIMIT_PER_MINUTE", String(RATE_PER_MINUTE));
  vi.stubEnv("SIGN_IN_RATE_LIMIT_PER_MINUTE", String(RATE_PER_MINUTE));
  service = await listen({ host: "127.0.0.1", port: 0 }, async (message, reply, path) => {
    await sendReply(message, reply, await answerRest(toRestRequest(message, reply, path)), BODY_BYTES_MAX);
  });
  toService = await FaultProxy.start(`http://127.0.0.1:${service.port}`);
});
afterAll(async () => {
  await toService.stop();
  await service.close(0);
  await toDatabase.stop();
  vi.unstubAllEnvs();
});

interface Call {
  method?: string;
  /** What follows `/v1/contracts/{contractAddress}/batches`. */
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/** A caller with its own contract, and a batch that it wants to pay once. */
class Caller {
  constructor(
    readonly contract: string,
    readonly token: string,
  ) {}

  static async make(options?: NewContract): Promise<Caller> {
    const contractAddress = await newContract(options);
    const scopes = ["batches:read" as const, "batches:write" as const];
    const { token } = await createAccessToken(context(), {
      contractAddress,
      name: "retries",
      scopes,
      expiresAt: null,
    });
    return new Caller(contractAddress, token);
  }

  /** In the service's statements too, of which only the change itself has it. */
  get requestId(): string {
    return `request-of-${this.contract}`;
  }

  body(points = "1"): string {
    const { pointType, transfers } = batchOf(this.contract, [[1, points]]);
    return JSON.stringify({ pointType, transfers, secondsToFinalize: 3600 });
  }

  /** Sends to the service, by default a POST without a key. @throws without a whole reply */
  async send(
    { method = "POST", path = "", headers = {}, body = this.body(), signal }: Call = {},
    base = url(),
  ) {
    const reply = await fetch(`${base}/v1/contracts/${this.contract}/batches${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        "Content-Type": "application/json",
        "X-Request-Id": this.requestId,
        ...headers,
      },
      body: method === "GET" ? null : body,
      signal: signal ?? null,
    });
    const said = await reply.text();
    const code = /"code":"(\w+)"/.exec(said)?.[1];
    return { status: reply.status, code, headers: reply.headers };
  }

  async stored(): Promise<number> {
    const rows = await db.sql`
      select 1 from batches where contract_address = ${addressToBytes(this.contract)}`;
    return rows.length;
  }
}

const url = () => toService.through("http://service.test").replace(/\/$/, "");

type Place = Omit<BreakPoint, "texts">;
const headEnd = (reply: Buffer) => reply.indexOf("\r\n\r\n") + 4;
const NOT_PASSED: Place = { passes: "request", how: "cut" };
const NEVER_PASSED: Place = { passes: "request", how: "hold" };
const BEFORE_FIRST_BYTE: Place = { passes: () => 0, how: "cut" };
const HELD: Place = { passes: () => 0, how: "hold" };
const IN_FIRST_BYTES: Place = { passes: () => 20, how: "cut" };
const IN_BODY: Place = { passes: (reply) => headEnd(reply) + 10, how: "cut" };
/** Without the end that says that the statement is done. */
const BEFORE_LAST_BYTES: Place = { passes: (reply) => reply.byteLength - 3, how: "cut" };

const between = (caller: Caller, proxy: FaultProxy, place: Place) =>
  proxy.breakAt({ ...place, texts: [caller.requestId] });

/** What the caller got. No status: no reply, or a part of one. */
type Got = Partial<Awaited<ReturnType<Caller["send"]>>>;

interface Case {
  what: string;
  play(caller: Caller): Promise<Got>;
  contract?: NewContract;
  /** How many batches are stored then. */
  stored: number;
  /** What a client sends again by itself that repeats 429 and 503 of any method, as Apache's HttpClient 5. */
  repeated?: Call;
}

const PUT: Call = { method: "PUT", path: "/payout-1" };
const KEYED: Call = { headers: { "Idempotency-Key": "payout 1" } };

/** The link to Postgres breaks in the statement that stores the batch. */
const brokenAtDatabase = (what: string, place: Place, stored: number, call: Call = {}): Case => ({
  what: `${call.method ?? "POST"}${call.headers ? " with a key" : ""}, to Postgres ${what}`,
  async play(caller) {
    const broken = between(caller, toDatabase, place);
    const got = await caller.send(call);
    await broken;
    return got;
  },
  stored,
  repeated: call,
});

/** The link to the service breaks. */
const brokenAtService = (what: string, place: Place, stored: number): Case => ({
  what,
  async play(caller) {
    const patience = new AbortController();
    const broken = between(caller, toService, place);
    const got = caller.send({ signal: patience.signal }).catch(() => ({}));
    await broken;
    if (place.how === "hold") patience.abort();
    return await got;
  },
  stored,
});

const POINTS: [what: string, place: Place, stored: number][] = [
  ["before it is passed on", NOT_PASSED, 0],
  ["held before it is passed on", NEVER_PASSED, 0],
  ["before the first byte of the reply", BEFORE_FIRST_BYTE, 1],
  ["in the first bytes of the reply", IN_FIRST_BYTES, 1],
  ["held before the first byte of the reply", HELD, 1],
];
const AT_DATABASE: typeof POINTS = [...POINTS, ["in the last bytes of the reply", BEFORE_LAST_BYTES, 1]];
const AT_SERVICE: typeof POINTS = [...POINTS, ["in the body of the reply", IN_BODY, 1]];

/** Each is refused in another way. */
const refused = (status: number, call: Call): Case => ({
  what: `${status}`,
  play: (caller) => caller.send(call),
  stored: 0,
});

/** A batch of the caller's is stored before, under an ID and under a key. */
const refusedAfterOne = (call: Call): Case => ({
  what: "another batch has it",
  async play(caller) {
    expect(await caller.send(call)).toMatchObject({ status: 200 });
    return await caller.send({ ...call, body: caller.body("2") });
  },
  stored: 1,
});

/** A proxy that answers for itself, whether or not it has passed the request on. */
const answeredByProxy = (status: number, isPassedOn: boolean): Case => ({
  what: `a proxy answers ${status} ${isPassedOn ? "after" : "before"} the service`,
  async play(caller) {
    const proxy = createServer(async (request, reply) => {
      const body = await text(request);
      if (isPassedOn) await caller.send({ body });
      reply.writeHead(status, { "Content-Type": "text/html" }).end("<h1>Error</h1>");
    });
    const base = `http://127.0.0.1:${await listenLocally(proxy)}`;
    return await caller.send({}, base).finally(() => stopServer(proxy));
  },
  stored: isPassedOn ? 1 : 0,
});

/** By the first column of the table. */
const ROWS: Record<string, Case[]> = {
  "200": [
    { what: "PUT", play: (caller) => caller.send(PUT), stored: 1 },
    { what: "POST", play: (caller) => caller.send(), stored: 1 },
    { what: "POST with a key", play: (caller) => caller.send(KEYED), stored: 1 },
  ],
  "400, 404, 405, 413, 415": [
    refused(400, { body: "{}" }),
    refused(404, { method: "PUT", path: "/a/b" }),
    refused(405, { method: "PATCH" }),
    refused(413, { body: `{"pointType":"${"x".repeat(BODY_BYTES_MAX)}"}` }),
    refused(415, { headers: { "Content-Type": "text/plain" } }),
  ],
  "401, 403": [
    refused(401, { headers: { Authorization: "Bearer nonsense" } }),
    {
      what: "a token of another contract",
      async play(caller) {
        const { token } = await Caller.make();
        return await caller.send({ headers: { Authorization: `Bearer ${token}` } });
      },
      stored: 0,
    },
  ],
  "409": [refusedAfterOne(PUT)],
  "422": [
    refusedAfterOne(KEYED),
    {
      what: "too few points",
      contract: { issuance: "PREFUNDED" },
      play: (caller) => caller.send(),
      stored: 0,
    },
  ],
  "429": [
    {
      what: "over the limit",
      async play(caller) {
        const send = () => caller.send({ body: "{}" });
        let got = await send();
        while (got.status === 400) got = await send();
        return got;
      },
      stored: 0,
    },
  ],
  "503 `unavailable`": [
    {
      what: "no connection to Postgres",
      async play(caller) {
        await toDatabase.set("refuse");
        return await caller.send().finally(() => toDatabase.set("ok"));
      },
      stored: 0,
    },
    {
      what: "a lock that never came",
      async play(caller) {
        const unlock = await lockAccount(db, caller.contract);
        return await caller.send().finally(unlock);
      },
      stored: 0,
    },
    ...[PUT, KEYED].flatMap((call) =>
      AT_DATABASE.map(([what, place, stored]) => brokenAtDatabase(what, place, stored, call)),
    ),
  ],
  "504 `outcome_unknown`": [
    ...AT_DATABASE.map(([what, place, stored]) => brokenAtDatabase(what, place, stored)),
    {
      what: "Postgres ends the session during the statement",
      async play(caller) {
        const unlock = await lockAccount(db, caller.contract);
        const got = caller.send();
        await untilBlocked(db);
        await db.sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return await got.finally(unlock);
      },
      stored: 0,
    },
  ],
  "500 `internal_error`": [
    {
      what: "a table is missing",
      async play(caller) {
        await db.sql`alter table batch_transfers rename to transfers_away`;
        const back = () => db.sql`alter table transfers_away rename to batch_transfers`;
        return await caller.send().finally(back);
      },
      stored: 0,
    },
  ],
  "502, 503 or 504 without a `code`": [502, 503, 504].flatMap((status) => [
    answeredByProxy(status, true),
    answeredByProxy(status, false),
  ]),
  "no reply, or a part of one": AT_SERVICE.map(([what, place, stored]) =>
    brokenAtService(what, place, stored),
  ),
};

/** The rows of the document's first table. */
const DOCUMENTED = readFileSync("docs/retries.md", "utf8")
  .split(/^## /m)[0]!
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
  .slice(1)
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, got, applied]) => ({ got: got!, applied: applied! }));

test("each row of the table in docs/retries.md has cases, and each case a row", () => {
  expect(DOCUMENTED.map(({ got }) => got).sort()).toEqual(Object.keys(ROWS).sort());
});

describe.each(DOCUMENTED)("after $got, was it applied? $applied", ({ got: row, applied }) => {
  const statuses = row.match(/\d{3}/g)?.map(Number) ?? [undefined];
  const code = /^\d{3} `(\w+)`$/.exec(row)?.[1];

  test.each(ROWS[row] ?? [])("$what", async ({ play, contract, stored, repeated }) => {
    const caller = await Caller.make(contract);
    const got = await play(caller);
    expect(statuses).toContain(got.status);
    if (code) expect(got.code).toBe(code);
    // Only where every request may be repeated is there a `Retry-After`.
    expect(got.headers?.has("Retry-After") ?? false).toBe(code === "unavailable" || got.status === 429);
    expect(await caller.stored()).toBe(stored);
    if (got.status !== 503 || !repeated) return;
    expect(await caller.send(repeated)).toMatchObject({ status: 200 });
    expect(await caller.stored()).toBe(1);
  });

  test("is what the cases show", () => {
    const counts = new Set((ROWS[row] ?? []).map(({ stored }) => stored));
    if (applied === "Yes.") expect([...counts]).toEqual([1]);
    if (applied === "No." && row !== "409" && row !== "422") expect([...counts]).toEqual([0]);
    if (/^Unknown/.test(applied) && code !== "internal_error") expect(counts).toEqual(new Set([0, 1]));
  });
});

test("that a request may have been counted makes no outcome unknown", async () => {
  const lost = toDatabase.breakAt({ ...BEFORE_FIRST_BYTE, texts: ["sign-in:"] });
  const reply = await fetch(`${url()}/v1/dapp-auth/solve`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ challengeData: "a", signature: "0x" }),
  });
  await lost;
  expect([reply.status, await reply.json()]).toMatchObject([503, { code: "unavailable" }]);
});
