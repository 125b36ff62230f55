import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { AnyRouter } from "@trpc/server";
import { encode } from "next-auth/jwt";
import type { OpenApiMeta } from "trpc-to-openapi";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { setOperator } from "@/server/contracts/change-contract";
import { answerRequests } from "@/server/host/answer-requests";
import { type HttpServer, listen } from "@/server/host/http-server";
import { addressToBytes } from "@/server/kernel/address-bytes";
import type { StaffRole } from "@/server/kernel/context";
import { database } from "@/server/kernel/database";
import { Turns } from "@/server/kernel/turns";
import { endOwnSession } from "@/server/staff/own-account";
import { changeRole, disablePerson } from "@/server/staff/people";
import { handleConsole } from "@/server/trpc/console-endpoint";
import { appRouter, createRestRouter } from "@/server/trpc/root";
import { LIMITS, newPerson, staffContext, wallet } from "@/testing/factories";
import { lockAccount, waitsForLock } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { endSession, openSession } from "./sessions";
import { createAccessToken, hashToken, makeToken, revokeToken, type TokenScope } from "./tokens";

const { db, context, newContract } = useLedger({ serves: true });
beforeAll(() => {
  vi.stubEnv("RATE_LIMIT_PER_MINUTE", "600");
  vi.stubEnv("CONSOLE_RATE_LIMIT_PER_MINUTE", "0");
});
afterAll(() => vi.unstubAllEnvs());
afterEach(() => vi.restoreAllMocks());

const clock = performance.now.bind(performance);
/** All that is measured from now on took this much longer. */
const passes = (ms: number) => vi.spyOn(performance, "now").mockImplementation(() => clock() + ms);
const LONG_MS = 1100;
const SHORT_MS = 400;

function proceduresOf(router: AnyRouter) {
  type Procedure = { _def: { type: string; meta?: OpenApiMeta } };
  const procedures = Object.entries(router._def.procedures as unknown as Record<string, Procedure>);
  return procedures.map(([path, { _def }]) => [path, _def] as const);
}

describe("over /v1", () => {
  let server: HttpServer;
  beforeAll(async () => {
    const next = { handle: () => Promise.reject(new Error("not used")) } as never;
    server = await listen({ host: "127.0.0.1", port: 0 }, answerRequests(next, null, false));
  });
  afterAll(() => server.close(0));

  interface Caller {
    contractAddress: string;
    token: string;
    tokenId: string;
  }
  const SCOPES: TokenScope[] = ["batches:read", "batches:write", "batches:reverse"];

  async function newCaller(): Promise<Caller> {
    const contractAddress = await newContract();
    const asked = { contractAddress, name: "slow", scopes: SCOPES, expiresAt: null };
    const { token, id } = await createAccessToken(context("ops"), asked);
    return { contractAddress, token, tokenId: id };
  }

  const batch = { pointType: "PHASE2_POINTS", transfers: [{ toAddress: wallet(1), points: "1" }] };

  /**
   * Sends the head of a request, and its body when the service has checked the token and asks for it.
   * @param meanwhile what happens before the body arrives
   */
  async function sendSlowly(
    { contractAddress, token }: Pick<Caller, "contractAddress" | "token">,
    [method, path, body]: readonly [method: string, path: string, body: object],
    meanwhile: () => Promise<unknown>,
  ) {
    const request = httpRequest({
      port: server.port,
      method,
      path: `/v1/contracts/${contractAddress}${path}`,
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        "Transfer-Encoding": "chunked",
        Expect: "100-continue",
      },
    });
    const replied = once(request, "response") as Promise<[IncomingMessage]>;
    request.flushHeaders();
    await Promise.race([
      once(request, "continue"),
      replied.then(() => expect.unreachable("no body was read")),
    ]);
    request.write(" ");
    await meanwhile();
    request.end(JSON.stringify(body));
    const [reply] = await replied;
    return { status: reply.statusCode, body: JSON.parse(await text(reply)) };
  }

  const submitting = ["POST", "/batches", batch] as const;
  const storedOf = ({ contractAddress }: Pick<Caller, "contractAddress">) =>
    db.sql`select 1 from batches where contract_address = ${addressToBytes(contractAddress)}`;
  const revoke = ({ contractAddress, tokenId }: Caller) =>
    revokeToken(context("ops"), { contractAddress, tokenId });

  test.each([
    ["revoked", revoke, 401, "expired_token"],
    [
      "expired",
      ({ tokenId }: Caller) => db.sql`update access_tokens set expires_at = now() where id = ${tokenId}`,
      401,
      "expired_token",
    ],
    [
      "left without the scope",
      ({ tokenId }: Caller) =>
        db.sql`update access_tokens set scopes = array['batches:read'] where id = ${tokenId}`,
      403,
      "missing_scope",
    ],
  ])(
    "nothing is stored for a token that was %s while the body arrived",
    async (_name, change, status, code) => {
      const caller = await newCaller();
      const meanwhile = async () => {
        await change(caller);
        passes(LONG_MS);
      };
      expect(await sendSlowly(caller, submitting, meanwhile)).toMatchObject({ status, body: { code } });
      expect(await storedOf(caller)).toHaveLength(0);
    },
  );

  const operations = proceduresOf(createRestRouter(LIMITS))
    .map(([, { meta }]) => meta?.openapi)
    .filter((openapi) => openapi !== undefined)
    .filter(({ protect }) => protect !== false)
    .map(({ method, path }) => [method, path.replace("/v1/contracts/{contractAddress}", "")] as const);

  test.each(operations)(
    "%s …%s is refused if its token was revoked while the body arrived",
    async (method, path) => {
      const caller = await newCaller();
      const meanwhile = async () => {
        await revoke(caller);
        passes(LONG_MS);
      };
      const sent = [method, path.replaceAll(/\{\w+\}/g, "x"), {}] as const;
      expect(await sendSlowly(caller, sent, meanwhile)).toMatchObject({
        status: 401,
        body: { code: "expired_token" },
      });
    },
  );

  test("an operator's token stores nothing when the contract gets another operator while the body arrives", async () => {
    const contractAddress = await newContract();
    const token = makeToken("operator");
    const operate = (operatorAddress: string) =>
      setOperator(context("ops"), { contractAddress, operatorAddress });
    await operate(wallet(7));
    await db.sql`
      insert into operator_tokens (token_hash, contract_address, operator_address, expires_at)
      select ${hashToken(token)}::bytea, address, operator_address, now() + interval '1 hour'
      from contracts where operator_address is not null`;
    const meanwhile = async () => {
      await operate(wallet(8));
      passes(LONG_MS);
    };
    expect(await sendSlowly({ contractAddress, token }, submitting, meanwhile)).toMatchObject({
      status: 401,
      body: { code: "invalid_token" },
    });
    expect(await storedOf({ contractAddress })).toHaveLength(0);
  });

  test("a token that is still valid is checked a second time only after a second, and the request is counted once", async () => {
    const checks = async (ms: number) => {
      const caller = await newCaller();
      const asked = vi.spyOn(database().sql, "unsafe");
      // Stands still, however slow the machine is.
      const now = vi.spyOn(performance, "now").mockReturnValue(clock());
      const later = async () => void now.mockReturnValue(performance.now() + ms);
      expect((await sendSlowly(caller, submitting, later)).status).toBe(200);
      const counted = await db.sql<{ points: number }[]>`
        select points from rate_limits where key = ${`token:${caller.tokenId}`}`;
      const count = asked.mock.calls.filter(([sql]) => sql.includes("access_tokens")).length;
      vi.restoreAllMocks();
      return [count, counted[0]?.points];
    };
    expect([await checks(SHORT_MS), await checks(LONG_MS)]).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });
});

describe("in the console", () => {
  beforeAll(async () => {
    await newPerson(db, { email: "chief@example.com", role: "admin" });
  });
  let people = 0;

  async function signedIn(role: StaffRole = "admin") {
    const email = `person-${++people}@example.com`;
    const { id } = await newPerson(db, { email, role });
    const sessionId = (await openSession(db, { staffId: id, epoch: 0, device: "test", replaces: null }))!;
    const cookie = await encode({ token: { sid: sessionId }, secret: process.env.AUTH_SECRET! });
    return { id, email, sessionId, cookie: `next-auth.session-token=${cookie}` };
  }
  type Person = Awaited<ReturnType<typeof signedIn>>;

  /** Sends a call whose body arrives after `meanwhile`, which begins when the session has been read. */
  async function callSlowly({ cookie }: Person, procedure: string, input: object, meanwhile: () => unknown) {
    const pull = async (body: ReadableStreamDefaultController) => {
      await meanwhile();
      body.enqueue(new TextEncoder().encode(JSON.stringify(input)));
      body.close();
    };
    const reply = await handleConsole(
      new Request(`http://console.example/api/trpc/console.${procedure}`, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          host: "console.example",
          origin: "http://console.example",
          cookie,
        },
        body: new ReadableStream({ pull }, { highWaterMark: 0 }),
        duplex: "half",
      } as RequestInit),
    );
    const body = (await reply.json()) as { error?: { data: { problem: { code: string } } } };
    return [reply.status, body.error?.data.problem.code];
  }

  const granting = async () => ({
    contractAddress: await newContract({ issuance: "PREFUNDED" }),
    pointType: "PHASE2_POINTS",
    points: "5",
  });
  const grantsTo = ({ contractAddress }: { contractAddress: string }) =>
    db.sql`select 1 from issuances where contract_address = ${addressToBytes(contractAddress)}`;
  const chief = () => staffContext(db, "chief@example.com");

  const ENDINGS: [string, (person: Person) => Promise<unknown>, number, string][] = [
    ["disabled", ({ id }) => disablePerson(chief(), { personId: id }), 401, "missing_token"],
    ["demoted", ({ id }) => changeRole(chief(), { personId: id, role: "viewer" }), 401, "missing_token"],
    ["signed out", ({ sessionId }) => endSession(db, sessionId), 401, "missing_token"],
    [
      "signed out on another device",
      ({ email, sessionId }) =>
        endOwnSession(
          { ...staffContext(db, email), staff: { email, role: "admin", sessionId } },
          { sessionId },
        ),
      401,
      "missing_token",
    ],
    [
      "left with another role",
      ({ id }) => db.sql`update staff set role = 'operator' where id = ${id}`,
      403,
      "not_allowed",
    ],
  ];

  test.each(ENDINGS)(
    "no points are granted by an admin who was %s while the body arrived",
    async (_name, end, ...refusal) => {
      const person = await signedIn();
      const input = await granting();
      const meanwhile = async () => {
        await end(person);
        passes(LONG_MS);
      };
      expect(await callSlowly(person, "contracts.grant", input, meanwhile)).toEqual(refusal);
      expect(await grantsTo(input)).toHaveLength(0);
    },
  );

  const OPEN = new Set(["requestReset", "openInvitation", "acceptInvitation"].map((name) => `staff.${name}`));
  const changes = proceduresOf(appRouter)
    .filter(([, { type }]) => type === "mutation")
    .map(([path]) => path.replace("console.", ""))
    .filter((path) => !OPEN.has(path));

  test.each(changes)(
    "%s is refused to an admin who was signed out while the body arrived",
    async (procedure) => {
      const person = await signedIn();
      const meanwhile = async () => {
        await endSession(db, person.sessionId);
        passes(LONG_MS);
      };
      expect(await callSlowly(person, procedure, {}, meanwhile)).toEqual([401, "missing_token"]);
    },
  );

  test("no points are granted by an admin who was signed out while the call waited for its turn", async () => {
    const person = await signedIn();
    const input = await granting();
    const release = await lockAccount(db, input.contractAddress);
    const turns = vi.spyOn(Turns.prototype, "run");
    const first = callSlowly(person, "contracts.grant", input, () => undefined);
    await expect.poll(() => waitsForLock(db)).toBe(true);
    const second = callSlowly(person, "contracts.grant", input, () => undefined);
    await expect.poll(() => turns.mock.calls.length).toBe(2);
    await endSession(db, person.sessionId);
    passes(LONG_MS);
    await release();
    expect([await first, await second]).toEqual([
      [200, undefined],
      [401, "missing_token"],
    ]);
    expect(await grantsTo(input)).toHaveLength(1);
  });

  test("points are granted by an admin who is still signed in, however slowly the body arrived", async () => {
    const person = await signedIn();
    const input = await granting();
    expect(await callSlowly(person, "contracts.grant", input, () => passes(LONG_MS))).toEqual([
      200,
      undefined,
    ]);
    expect(await grantsTo(input)).toHaveLength(1);
  });
});
