import { afterEach, describe, expect, test, vi } from "vitest";
import { type Client, createClient } from "./create-client.ts";
import { batchDigest } from "./digest.ts";
import type { NewBatch } from "./shapes.ts";
import { failureOf, scriptedFetch } from "./testing/scripted-fetch.ts";

const BATCH: NewBatch = { pointType: "PHASE2_POINTS", transfers: [] };

afterEach(() => void vi.unstubAllGlobals());

describe("arguments that cannot be sent", () => {
  test.each<[string, (client: Client) => Promise<unknown>]>([
    ["an empty batch id", (client) => client.getBatch("")],
    ["a batch id that is a relative URL path", (client) => client.cancelBatch("..")],
    ["half a surrogate pair", (client) => client.getBatch("\ud800")],
    ["a BigInt", (client) => client.submitBatch({ ...BATCH, secondsToFinalize: 1n as unknown as number })],
    ["a wait that is not a number", (client) => client.waitUntilFinalized("b-1", { pollMs: Number.NaN })],
  ])("%s is InvalidArgument, and nothing is sent", async (_, call) => {
    const { fetch, requests } = scriptedFetch();
    const client = createClient({ baseUrl: "http://service", contractAddress: "0xC0", fetch });
    expect(await failureOf(call(client))).toMatchObject({ name: "InvalidArgument" });
    expect(requests).toHaveLength(0);
  });

  test.each(["", "service", "ftp://service", "http://me:secret@service", "http://service?a=1"])(
    "baseUrl %j",
    (baseUrl) => {
      expect(() => createClient({ baseUrl })).toThrow(expect.objectContaining({ name: "InvalidArgument" }));
    },
  );

  test("no contract anywhere", async () => {
    const failure = await failureOf(createClient({ baseUrl: "http://service" }).getBalances());
    expect(failure).toMatchObject({ name: "InvalidArgument" });
  });

  test("a page without https, which has no UUID and no SHA-256", async () => {
    vi.stubGlobal("crypto", {});
    const client = createClient({ baseUrl: "http://service", contractAddress: "0xC0" });
    expect(await failureOf(client.submitBatch(BATCH))).toMatchObject({ name: "InvalidArgument" });
    expect(await failureOf(batchDigest("0xC0", BATCH))).toMatchObject({ name: "InvalidArgument" });
  });
});
