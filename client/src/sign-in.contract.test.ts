import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BuiltApp } from "@/testing/launch-app";
import { type Client, createClient } from "./create-client.ts";
import { operatorToken } from "./operator-token.ts";
import {
  batchOf,
  type ClientWorld,
  CONTRACT,
  OTHER,
  operator,
  startClientWorld,
} from "./testing/client-world.ts";
import { failureOf } from "./testing/scripted-fetch.ts";
import type { TokenRequest } from "./token.ts";

const signMessage = (message: string) => operator.signMessage({ message });

let world: ClientWorld;
let app: BuiltApp;
let client: Client;

beforeAll(async () => {
  world = await startClientWorld();
  ({ app, client } = world);
});
afterAll(() => world?.stop());

describe("the operator", () => {
  const who = { contractAddress: CONTRACT, operatorAddress: operator.address, signMessage };

  test("signs in and acts for the contract", async () => {
    const session = await createClient({ baseUrl: app.url }).signIn(who);
    expect(session.expiresAt - Date.now()).toBeGreaterThan(3_590_000);
    const signedIn = createClient({ baseUrl: app.url, token: session.token, contractAddress: CONTRACT });
    const { batchId } = await signedIn.submitBatch(batchOf("1"));
    expect((await client.getBatch(batchId)).id).toBe(batchId);
    expect(await failureOf(signedIn.getBalances({ contractAddress: OTHER }))).toMatchObject({ status: 403 });
  });

  test("is signed in by the token function when a call needs it", async () => {
    const source = operatorToken({ baseUrl: app.url, ...who });
    const signedIn = createClient({ baseUrl: app.url, token: source, contractAddress: CONTRACT });
    expect(await signedIn.getBalances()).toEqual(await client.getBalances());
  });

  test("is refused with another key", async () => {
    const stranger = privateKeyToAccount(generatePrivateKey());
    const signing = createClient({ baseUrl: app.url }).signIn({
      ...who,
      signMessage: (message) => stranger.signMessage({ message }),
    });
    expect(await failureOf(signing)).toMatchObject({
      name: "ApiProblem",
      code: "not_operator",
      detail: expect.stringContaining(stranger.address),
    });
  });

  test("gets a new token within a call when the service has revoked the old one", async () => {
    const next = privateKeyToAccount(generatePrivateKey());
    const anyone = createClient({ baseUrl: app.url, contractAddress: OTHER });
    const first = await anyone.signIn({ operatorAddress: operator.address, signMessage });
    const asked: (string | null)[] = [];
    const token = async ({ refusedToken }: TokenRequest) => {
      asked.push(refusedToken);
      if (refusedToken === null) return first.token;
      const renewed = await anyone.signIn({
        operatorAddress: next.address,
        signMessage: (message) => next.signMessage({ message }),
      });
      return renewed.token;
    };
    await app.ops(["contract", "operator", "--contract", OTHER, "--operator", next.address]);
    const signedIn = createClient({ baseUrl: app.url, token, contractAddress: OTHER });
    expect((await signedIn.submitBatch(batchOf("1"))).replayed).toBe(false);
    expect(asked).toEqual([null, first.token]);
  });
});
