import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createAccessToken, makeToken } from "@/server/auth/tokens";
import { database } from "@/server/kernel/database";
import { batchOf } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { handleRest } from "./handler";

const { db, context, newContract } = useLedger({ serves: true, balances: false });
beforeAll(() => {
  vi.stubEnv("DATABASE_POOL_MAX", "1");
  vi.stubEnv("DATABASE_TIMEOUT_SECONDS", "1");
});
afterAll(() => vi.unstubAllEnvs());

/** Holds the only connection of the service's pool. */
function holdPool(): () => Promise<void> {
  let release = false;
  const hog = database().sql.begin(async (tx) => {
    while (!release) await tx`select pg_sleep(0.1)`;
  });
  return async () => {
    release = true;
    await hog;
  };
}

test("a request without a free connection gets 503 with Retry-After, and later requests are served again", async () => {
  const release = holdPool();
  const ask = () =>
    handleRest(
      new Request(`http://host/v1/contracts/0x${"1".repeat(40)}/batches`, {
        headers: { Authorization: `Bearer ${makeToken("access")}` },
      }),
    );
  const refused = await ask();
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("2");
  expect(await refused.json()).toMatchObject({ code: "unavailable", success: false });
  await release();
  expect((await ask()).status).toBe(401);
});

/** A contract with a function that submits a batch. */
async function newSubmit(): Promise<(signal?: AbortSignal) => Promise<Response>> {
  const contractAddress = await newContract();
  const scopes = ["batches:write" as const];
  const asked = { contractAddress, name: "late", scopes, expiresAt: null };
  const { token } = await createAccessToken(context(), asked);
  const { pointType, transfers } = batchOf(contractAddress, [[1, "1"]]);
  return (signal) =>
    handleRest(
      new Request(`http://host/v1/contracts/${contractAddress}/batches`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ pointType, transfers, secondsToFinalize: 3600 }),
        signal: signal ?? null,
      }),
    );
}

test.each([
  ["timed out with 503", undefined, 503, "was not applied"],
  // Nobody reads this reply.
  ["was aborted by its caller", 200, 504, "may or may not have been applied"],
] as const)(
  "a request that %s stops and does not take a connection from waiting requests",
  async (_name, leftAfterMs, status, said) => {
    const submit = await newSubmit();
    const release = holdPool();
    const reply = await submit(leftAfterMs ? AbortSignal.timeout(leftAfterMs) : undefined);
    expect(reply.status).toBe(status);
    expect((await reply.json()).detail).toContain(said);
    await release();
    // Anything left of the request is queued on the only connection before these statements.
    for (let i = 0; i < 5; i++) await database().sql`select ${i}::int`;
    expect(await db.sql`select id from batches`).toHaveLength(0);
    expect((await submit()).status).toBe(200);
    await db.sql`truncate batches cascade`;
  },
);
