import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BuiltApp } from "@/testing/launch-app";
import { type Client, createClient } from "./create-client.ts";
import { batchDigest } from "./digest.ts";
import {
  batchOf,
  type ClientWorld,
  CONTRACT,
  OTHER,
  startClientWorld,
  wallet,
} from "./testing/client-world.ts";
import { failureOf } from "./testing/scripted-fetch.ts";

let world: ClientWorld;
let app: BuiltApp;
let token: string;
let client: Client;
let prefunded: Client;

beforeAll(async () => {
  world = await startClientWorld();
  ({ app, token, client, prefunded } = world);
});
afterAll(() => world?.stop());

describe("problems", () => {
  test("cancelling a cancelled batch is not_cancellable, with the time of the first cancel", async () => {
    const { batchId } = await client.submitBatch(batchOf("2"));
    expect(await client.cancelBatch(batchId)).toEqual({ batchId });
    expect(await failureOf(client.cancelBatch(batchId))).toMatchObject({
      name: "ApiProblem",
      code: "not_cancellable",
      extra: { batchStatus: "CANCELLED", since: expect.stringMatching(/Z$/) },
      outcomeUnknown: false,
    });
  });

  test("different content under the same id is batch_id_conflict, with both digests", async () => {
    const [first, second] = [batchOf("2"), batchOf("3")];
    await client.submitBatch(first, { batchId: "taken" });
    expect(await failureOf(client.submitBatch(second, { batchId: "taken" }))).toMatchObject({
      code: "batch_id_conflict",
      batchId: "taken",
      extra: {
        storedDigest: await batchDigest(CONTRACT, first),
        sentDigest: await batchDigest(CONTRACT, second),
      },
    });
  });

  test("an invalid batch has an error for every invalid row", async () => {
    const transfers = [
      { toAddress: wallet(1), points: "1e3" },
      { toAddress: "0x12", points: "1" },
    ];
    expect(await failureOf(client.submitBatch(batchOf("1", { transfers })))).toMatchObject({
      code: "validation_failed",
      status: 400,
      errorCount: 2,
      errors: [
        { pointer: "/transfers/0/points", code: "invalid_points" },
        { pointer: "/transfers/1/toAddress", code: "invalid_address" },
      ],
      requestId: expect.any(String),
    });
  });

  test("a dry run has an error for every invalid row, not only the first hundred", async () => {
    const transfers = Array.from({ length: 150 }, (_, i) => ({ toAddress: wallet(i + 1), points: "0" }));
    const failure = await failureOf(client.dryRunBatch(batchOf("1", { transfers })));
    expect(failure).toMatchObject({ code: "validation_failed", errorCount: 150 });
    expect((failure as unknown as { errors: unknown[] }).errors).toHaveLength(150);
  });

  test("a contract without enough points gets insufficient_points, with what it has", async () => {
    expect(await failureOf(prefunded.submitBatch(batchOf("5")))).toMatchObject({
      code: "insufficient_points",
      status: 422,
      extra: { available: "0", asked: "5" },
    });
  });

  test.each([
    ["a wrong token", { token: "ptb_wrong" }, 401, "invalid_token"],
    ["no token", { token: undefined }, 401, "missing_token"],
    ["another contract", { contractAddress: OTHER }, 403, "wrong_contract"],
  ])("%s is an ApiProblem too", async (_, change, status, code) => {
    const stranger = createClient({ baseUrl: app.url, token, contractAddress: CONTRACT, ...change });
    expect(await failureOf(stranger.getBalances())).toMatchObject({ name: "ApiProblem", status, code });
  });

  test("a baseUrl of another server is UnexpectedReply", async () => {
    const lost = createClient({
      baseUrl: `${app.url}/console`,
      token,
      contractAddress: CONTRACT,
      retries: 0,
    });
    expect(await failureOf(lost.getBalances())).toMatchObject({ name: "UnexpectedReply" });
  });
});

test("redirects are not followed, so the token goes only to baseUrl", async () => {
  const redirecting = createServer((_, reply) => {
    reply.writeHead(307, { Location: `${app.url}/v1/contracts/${CONTRACT}/point-balances` }).end();
  });
  await new Promise<void>((resolve) => {
    redirecting.listen(0, "127.0.0.1", resolve);
  });
  const baseUrl = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
  const failing = createClient({ baseUrl, token, contractAddress: CONTRACT }).getBalances();
  expect(await failureOf(failing)).toMatchObject({ name: "UnexpectedReply", status: 307 });
  redirecting.close();
});
