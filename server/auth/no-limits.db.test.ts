import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { useLedger } from "@/testing/use-ledger";
import { admitCaller } from "./authorize-contract";
import { countFailed, countRequest } from "./limits";
import { limitedTry } from "./passwords";
import { createAccessToken, makeToken } from "./tokens";

const SETTINGS = [
  "RATE_LIMIT_PER_MINUTE",
  "TOKEN_FAILURES_PER_MINUTE",
  "SIGN_IN_RATE_LIMIT_PER_MINUTE",
  "SIGN_IN_FAILURES_PER_MINUTE",
  "PASSWORD_FAILURES_PER_CLIENT",
  "PASSWORD_FAILURES_PER_EMAIL",
];

const { db, context, newContract } = useLedger();
beforeAll(async () => {
  for (const setting of SETTINGS) vi.stubEnv(setting, "0");
});
afterAll(() => vi.unstubAllEnvs());

test("a limit of 0 turns the limit off: nothing is refused, reported or counted", async () => {
  const contractAddress = await newContract();
  const { token } = await createAccessToken(context("ops"), {
    contractAddress,
    name: "payouts",
    scopes: ["batches:read"],
    expiresAt: null,
  });
  const replyHeaders = new Headers();
  const clientAddress = "198.51.100.7";
  for (let i = 0; i < 3; i++) {
    const caller = await admitCaller({ db, authorization: `Bearer ${token}`, clientAddress, replyHeaders });
    expect(caller.contractKey).toBe(contractAddress);
    await countRequest({ db, replyHeaders }, "sign-in", clientAddress);
    const unknown = { db, authorization: `Bearer ${makeToken("access")}`, clientAddress, replyHeaders };
    await expect(admitCaller(unknown)).rejects.toMatchObject({ code: "invalid_token" });
    await countFailed({ db, replyHeaders }, "sign-in-failure", clientAddress);
    await limitedTry(db, { client: clientAddress, email: "a@example.com" }, async () => null);
  }
  expect([...replyHeaders]).toEqual([]);
  expect(await db.sql`select * from rate_limits`).toHaveLength(0);
});
