import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { setOperator } from "@/server/contracts/change-contract";
import { handleRest } from "@/server/rest/handler";
import type { DomainError } from "@/terms/problems";
import { answerStatement } from "@/testing/changed-statements";
import { toRestRequest } from "@/testing/rest-request";
import type { TestDatabase } from "@/testing/test-database";
import { useLedger } from "@/testing/use-ledger";
import { admitCaller } from "./authorize-contract";
import { createAccessToken, makeToken } from "./tokens";

const FAILURES = 4;
const SIGN_INS = 8;

const { db, context, newContract } = useLedger({ serves: true });
let contract: string;
let valid: string;
const operator = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
beforeAll(async () => {
  vi.stubEnv("TOKEN_FAILURES_PER_MINUTE", String(FAILURES));
  vi.stubEnv("SIGN_IN_FAILURES_PER_MINUTE", String(FAILURES));
  vi.stubEnv("SIGN_IN_RATE_LIMIT_PER_MINUTE", String(SIGN_INS));
  contract = await newContract();
  await setOperator(context("ops"), { contractAddress: contract, operatorAddress: operator.address });
});
afterAll(() => vi.unstubAllEnvs());

let round = 0;
beforeEach(async () => {
  round++;
  valid = await newToken();
});
afterEach(() => void vi.restoreAllMocks());

async function newToken(): Promise<string> {
  const scopes = ["batches:read" as const];
  const asked = { contractAddress: contract, name: "test", scopes, expiresAt: null };
  return (await createAccessToken(context("ops"), asked)).token;
}

/** The client's address; a new one for each test. */
const client = () => `198.51.100.${round}`;

describe("tokens that are unknown, expired or revoked", () => {
  let lookups = 0;
  let counting: TestDatabase;
  beforeEach(() => {
    lookups = 0;
    counting = answerStatement(db, "with asked as", (ask) => {
      lookups++;
      return ask();
    });
  });

  const outcomeOf = (token: string, clientAddress = client()) =>
    admitCaller({
      db: counting,
      replyHeaders: new Headers(),
      clientAddress,
      authorization: `Bearer ${token}`,
    }).then(
      () => "admitted",
      ({ code, options }: DomainError) => {
        if (code === "rate_limited") expect(options.headers?.["Retry-After"]).toMatch(/^[1-9]\d?$/);
        return code;
      },
    );
  const unknown = () => makeToken("access");
  async function exceedLimit(address = client()) {
    for (let i = 0; i < FAILURES; i++) expect(await outcomeOf(unknown(), address)).toBe("invalid_token");
    expect(await outcomeOf(unknown(), address)).toBe("rate_limited");
  }

  test("are limited per client address, also when tokens have no quota", async () => {
    await exceedLimit();
    expect(await outcomeOf(unknown(), "203.0.113.1")).toBe("invalid_token");
    const keys = await db.sql`select key from rate_limits where key like ${`token-failure:${client()}`}`;
    expect(keys).toHaveLength(1);
  });

  test("are not looked up any more over the limit: neither one of them again and again, nor many", async () => {
    const bad = unknown();
    for (let i = 0; i < FAILURES; i++) await outcomeOf(bad);
    expect(await outcomeOf(bad)).toBe("rate_limited");
    lookups = 0;
    for (let i = 0; i < 20; i++) expect(await outcomeOf(bad)).toBe("rate_limited");
    expect(lookups).toBe(0);
    for (let i = 0; i < 20; i++) expect(await outcomeOf(unknown())).toBe("rate_limited");
    expect(lookups).toBe(FAILURES);
  });

  test("are looked up again in the next window, and as many new ones beyond the limit", async () => {
    const bad = unknown();
    for (let i = 0; i <= FAILURES; i++) await outcomeOf(bad);
    for (let i = 0; i < FAILURES; i++) await outcomeOf(unknown());
    expect(await outcomeOf(bad)).toBe("rate_limited");
    expect(await outcomeOf(await newToken())).toBe("rate_limited");
    await db.sql`update rate_limits set expire = (extract(epoch from now()) * 1000)::bigint`;
    const steady = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => steady() + 61_000);
    expect(await outcomeOf(bad)).toBe("invalid_token");
    for (let i = 0; i < FAILURES; i++) await outcomeOf(bad);
    expect(await outcomeOf(bad)).toBe("rate_limited");
    expect(await outcomeOf(await newToken())).toBe("admitted");
  });

  test("do not stop a valid token at the same address, known or not", async () => {
    expect(await outcomeOf(valid)).toBe("admitted");
    await exceedLimit();
    expect(await outcomeOf(valid)).toBe("admitted");
    expect(await outcomeOf(await newToken())).toBe("admitted");
    for (let i = 0; i < FAILURES; i++) await outcomeOf(unknown());
    expect(await outcomeOf(valid)).toBe("admitted");
    expect(await outcomeOf(await newToken())).toBe("rate_limited");
  });
});

describe("operators who sign in", () => {
  async function post(path: string, body: object) {
    const request = toRestRequest({
      method: "POST",
      path: `/v1/dapp-auth/${path}`,
      headers: [["Content-Type", "application/json"]],
      body: [Buffer.from(JSON.stringify(body))],
    });
    const reply = await handleRest(request, client());
    return { status: reply.status, headers: reply.headers, body: await reply.json() };
  }
  const challenge = () => post("challenge", { contractAddress: contract, operatorAddress: operator.address });
  async function signIn(account = operator) {
    const { challengeData, message } = (await challenge()).body;
    return post("solve", { challengeData, signature: await account.signMessage({ message }) });
  }

  test("are refused after a few failed tries from their address, whatever failed, until the window ends", async () => {
    const { challengeData, message } = (await challenge()).body;
    const signature = await operator.signMessage({ message });
    expect((await signIn(stranger)).status).toBeGreaterThan(400);
    expect((await post("solve", { challengeData: "a.b", signature })).status).toBe(401);
    expect((await post("solve", { challengeData, signature: "0x12" })).status).toBe(401);
    expect((await post("solve", {})).status).toBe(400);
    expect((await post("solve", {})).status).toBe(429);
    const right = await post("solve", { challengeData, signature });
    expect([right.status, right.body.code]).toEqual([429, "rate_limited"]);
    expect(right.headers.get("retry-after")).toMatch(/^[1-9]\d?$/);
    expect((await challenge()).status).toBe(200);
    round++;
    expect((await post("solve", { challengeData, signature })).status).toBe(200);
  });
});
