import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BuiltApp } from "@/testing/launch-app";
import { startBuiltApp } from "@/testing/launch-app";

const dataDir = mkdtempSync(join(tmpdir(), "demo-command-"));
let app: BuiltApp;
beforeAll(async () => {
  app = await startBuiltApp({ dataDir, environment: { FINALIZER: "off" } });
});
afterAll(async () => {
  await app?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Reply {
  batches: number;
  people: { email: string; password: string }[];
  tokens: { contractAddress: string; token: string }[];
}

const seed = async (...words: string[]) =>
  JSON.parse(await app.ops(["seed-demo", "--batches", "400", "--json", ...words])) as Reply;

describe("seed-demo", () => {
  test("prints a token that works immediately, while the service is running", async () => {
    const { batches, people, tokens } = await seed();
    expect(batches).toBe(400);
    // The first start already created the admin.
    expect(people.map(({ email }) => email)).toEqual(["operator@example.com", "viewer@example.com"]);
    const { contractAddress, token } = tokens[0]!;
    const reply = await fetch(`${app.url}/v1/contracts/${contractAddress}/batches?limit=200`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(((await reply.json()) as { batch: unknown[] }).batch).toHaveLength(200);
  });

  test("adds more data with --add while the service is stopped, and the ledger balances", async () => {
    await app.kill("SIGTERM");
    expect((await seed("--add", "--seed", "2")).people).toEqual([]);
    expect(await app.ops(["verify-ledger"])).toContain("The ledger balances: 800 batches");
  });
});
