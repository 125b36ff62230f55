import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { wallet } from "@/testing/factories";
import { forgetSingles } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { admitCaller } from "./authorize-contract";
import { countAnonymousCall, countFailed } from "./limits";
import { limitedTry } from "./passwords";
import { createAccessToken, hashToken, makeToken } from "./tokens";

const QUOTA = 5;

const { db, context, newContract } = useLedger();
let other: Database;
let caller: { id: string; authorization: string };

beforeAll(() => {
  other = createDatabase({ url: db.url, poolMax: 2, timeoutSeconds: 5, pooler: "none" });
  vi.stubEnv("RATE_LIMIT_PER_MINUTE", String(QUOTA));
  vi.stubEnv("SIGN_IN_RATE_LIMIT_PER_MINUTE", "2");
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  vi.unstubAllEnvs();
  await other?.close();
});
beforeEach(async () => {
  caller = await newCaller();
});

async function newCaller() {
  const { token, id } = await createAccessToken(context("ops"), {
    contractAddress: await newContract(),
    name: "payouts",
    scopes: ["batches:read"],
    expiresAt: null,
  });
  return { id, authorization: `Bearer ${token}` };
}

type Refusal = { code: string; options: { headers: Record<string, string> } };

const outcomeOf = async (run: (replyHeaders: Headers) => Promise<unknown>) => {
  const replyHeaders = new Headers();
  const outcome = await run(replyHeaders).then(
    () => "counted",
    (error: Refusal) => error,
  );
  return { outcome, limit: replyHeaders.get("ratelimit"), policy: replyHeaders.get("ratelimit-policy") };
};
const count = (on: Database, { authorization } = caller) =>
  outcomeOf((replyHeaders) =>
    admitCaller({ db: on, authorization, clientAddress: "198.51.100.7", replyHeaders }),
  );
const countSignIn = (key: string, on: Database = db) =>
  outcomeOf((replyHeaders) => countAnonymousCall({ db: on, replyHeaders }, "sign-in", key));
const storedPoints = async ({ id }: { id: string } = caller) =>
  (await db.sql<{ points: number }[]>`select points from rate_limits where key = ${`token:${id}`}`)[0]
    ?.points;
const refused = expect.objectContaining({ code: "rate_limited" });

/** Moves this process's clocks, not the database's. */
function skipTime(ms: number): void {
  const [date, steady] = [Date.now.bind(Date), performance.now.bind(performance)];
  vi.spyOn(Date, "now").mockImplementation(() => date() + ms);
  vi.spyOn(performance, "now").mockImplementation(() => steady() + ms);
}
const endWindow = () => db.sql`update rate_limits set expire = (extract(epoch from now()) * 1000)::bigint`;

test("a request over the quota is refused with Retry-After by every instance, without further database writes", async () => {
  for (let i = 0; i < QUOTA; i++) expect((await count(i % 2 ? db : other)).outcome).toBe("counted");
  for (const instance of [db, other, db]) {
    const { outcome, limit, policy } = await count(instance);
    expect(outcome).toEqual(refused);
    expect(policy).toBe(`"token";q=${QUOTA};w=60`);
    expect(limit).toMatch(/^"token";r=0;t=\d+$/);
    const seconds = Number((outcome as Refusal).options.headers["Retry-After"]);
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
  }
  expect(await storedPoints()).toBe(QUOTA + 2);
});

test("of many concurrent requests through two instances, exactly the quota is accepted, each with its own remaining count", async () => {
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, i) => count(i % 2 ? db : other)));
  const counted = outcomes.filter(({ outcome }) => outcome === "counted");
  expect(counted.map(({ limit }) => limit?.match(/r=(\d+)/)?.[1]).sort()).toEqual(["0", "1", "2", "3", "4"]);
});

test("two tokens of one operator, used concurrently, count as one caller, and an unknown one not at all", async () => {
  const contract = await newContract();
  const operator = addressToBytes(wallet(0x0b));
  await db.sql`update contracts set operator_address = ${operator} where address = ${addressToBytes(contract)}`;
  const tokens = [makeToken("operator"), makeToken("operator")] as const;
  for (const token of tokens)
    await db.sql`insert into operator_tokens (token_hash, contract_address, operator_address, expires_at)
      values (${hashToken(token)}, ${addressToBytes(contract)}, ${operator}, now() + interval '1 hour')`;
  const id = `${wallet(0x0b).toLowerCase()}@${contract.toLowerCase()}`;
  const asked = [...tokens, tokens[1], makeToken("access")].map((token) => ({
    id,
    authorization: `Bearer ${token}`,
  }));
  const outcomes = await Promise.all(asked.map((one) => count(db, one)));
  expect(outcomes.pop()!.outcome).toMatchObject({ code: "invalid_token" });
  expect(outcomes.map(({ limit }) => limit?.match(/r=(\d+)/)?.[1]).sort()).toEqual(["2", "3", "4"]);
  expect(await storedPoints({ id })).toBe(3);
});

test("a caller over the limit is accepted again when the window ends", async () => {
  for (let i = 0; i < QUOTA + 1; i++) await count(db);
  expect((await count(db)).outcome).toEqual(refused);
  await endWindow();
  skipTime(61_000);
  expect(await count(db)).toMatchObject({ outcome: "counted", limit: `"token";r=${QUOTA - 1};t=60` });
});

test.each([
  ["ahead", 3_600_000],
  ["behind", -3_600_000],
])("an instance whose clock is an hour %s shares the window of the others", async (_, ms) => {
  const address = `198.51.100.7${ms}`;
  for (let i = 0; i < QUOTA; i++) await count(db);
  for (let i = 0; i < 2; i++) await countSignIn(address);
  skipTime(ms);
  for (const { outcome } of [await count(other), await countSignIn(address, other)]) {
    expect(outcome).toEqual(refused);
    const seconds = Number((outcome as Refusal).options.headers["Retry-After"]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
  }
});

test("a limit of 0 turns the limit off: nothing is refused, reported or counted", async () => {
  const perMinute = ["RATE_LIMIT", "TOKEN_FAILURES", "SIGN_IN_RATE_LIMIT", "SIGN_IN_FAILURES"];
  for (const name of perMinute) vi.stubEnv(`${name}_PER_MINUTE`, "0");
  vi.stubEnv("PASSWORD_FAILURES_PER_EMAIL", "0");
  forgetSingles();
  await db.sql`delete from rate_limits`;
  const replyHeaders = new Headers();
  const clientAddress = "198.51.100.7";
  const { authorization } = caller;
  for (let i = 0; i < 3; i++) {
    await admitCaller({ db, authorization, clientAddress, replyHeaders });
    await countAnonymousCall({ db, replyHeaders }, "sign-in", clientAddress);
    const unknown = { db, authorization: `Bearer ${makeToken("access")}`, clientAddress, replyHeaders };
    await expect(admitCaller(unknown)).rejects.toMatchObject({ code: "invalid_token" });
    await countFailed({ db, replyHeaders }, "sign-in-failure", clientAddress);
    await limitedTry(db, { client: clientAddress, email: "a@example.com" }, async () => null);
  }
  expect([...replyHeaders]).toEqual([]);
  expect(await db.sql`select * from rate_limits`).toHaveLength(0);
});
