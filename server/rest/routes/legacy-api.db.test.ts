import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { settings } from "@/server/kernel/settings";
import { handleRest } from "@/server/rest/handler";
import { type BadInputWorld, batchBody, makeBadInputWorld } from "@/testing/bad-input";
import { toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";

const { db, finalize } = useLedger({ serves: true });
let world: BadInputWorld;
beforeAll(async () => {
  world = await makeBadInputWorld(db);
  vi.stubEnv("LEGACY_API", "true");
  vi.stubEnv("MINIMUM_FINALIZE_SECONDS", "0");
});
afterAll(() => vi.unstubAllEnvs());

async function send(method: string, path: string, body?: string) {
  const reply = await handleRest(
    toRestRequest({
      method,
      path: `/v1/contracts/${world.contract}${path}`,
      headers: [
        ["Authorization", `Bearer ${world.tokens.own}`],
        ["Content-Type", "application/json"],
      ],
      body: body ? [Buffer.from(body)] : [],
    }),
  );
  return { status: reply.status, body: await reply.json() };
}

test.each([
  ["LIQUIDITY", "PHASE2_POINTS"],
  ["DEVELOPER", "PHASE2_GOLD"],
])(
  "%s means %s, with the same digest, and only a request that says it is answered with it",
  async (legacy, name) => {
    const batch = `/batches/by-${legacy}`;
    const put = (pointType: string, query = "") => send("PUT", batch + query, batchBody({ pointType }));
    expect((await put(legacy)).status).toBe(200);
    expect((await put(name)).status).toBe(200);
    const dryRuns = [await put(legacy, "?dryRun=true"), await put(name, "?dryRun=true")];
    expect(dryRuns.map(({ body }) => body.pointType)).toEqual([legacy, name]);

    const listed = async (query: string) => (await send("GET", `/batches?${query}`)).body;
    const page = await listed(`pointType=${legacy}&limit=1`);
    expect(page.batch[0]).toMatchObject({ id: `by-${legacy}`, pointType: legacy });
    expect((await listed(`pointType=${legacy}&limit=1`)).cursor).toBe(page.cursor);
    const namesOf = async (query: string) => {
      const { batch, batches } = await listed(query);
      expect(batches).toEqual(batch);
      return new Set(batch.map((one: { pointType: string }) => one.pointType));
    };
    expect(await namesOf(`pointType=${legacy}`)).toEqual(new Set([legacy]));
    expect(await namesOf(`pointType=${name}`)).toEqual(new Set([name]));
    expect(await namesOf("")).not.toContain(legacy);

    const one = (await send("GET", batch)).body.batch;
    expect(one.pointType).toBe(name);
    const month = one.createdAt.slice(0, 7);
    const { statements } = (await send("GET", `/statements?month=${month}&pointType=${legacy}`)).body;
    expect(statements.map((one: { pointType: string }) => one.pointType)).toEqual([legacy]);
  },
);

const balancesNow = async () => (await send("GET", "/point-balances")).body.balancesByPointType;

test("a list has both fields, and balances have all four names, with byAsset for points", async () => {
  const list = (await send("GET", "/batches")).body;
  expect(list.batches).toEqual(list.batch);
  expect(list.batch.length).toBeGreaterThan(0);
  const balances = await balancesNow();
  expect(Object.keys(balances).sort()).toEqual(["DEVELOPER", "LIQUIDITY", "PHASE2_GOLD", "PHASE2_POINTS"]);
  expect(Object.keys(balances.PHASE2_POINTS.byAsset)).toEqual(["ETH", "WETH", "USDB", "BLAST"]);
  expect(balances.LIQUIDITY).toEqual(balances.PHASE2_POINTS);
  expect(balances.DEVELOPER).toEqual(balances.PHASE2_GOLD);
  expect(balances.PHASE2_GOLD).not.toHaveProperty("byAsset");
});

test.each(["ETH", "WETH"] as const)(
  "byAsset has all that was earned under one asset, LEGACY_ASSET=%s",
  async (asset) => {
    settings().LEGACY_ASSET = asset;
    const { earnedCumulative, byAsset } = (await balancesNow()).LIQUIDITY;
    expect(earnedCumulative).not.toBe("0");
    const nothing = { earnedCumulative: "0", earnedCumulativeBlock: 0 };
    expect(byAsset).toEqual({
      ...{ ETH: nothing, WETH: nothing, USDB: nothing, BLAST: nothing },
      [asset]: { earnedCumulative, earnedCumulativeBlock: 0 },
    });
  },
);

test("the zero address can receive points, which are credited to it", async () => {
  const zero = `0x${"0".repeat(40)}`;
  const body = batchBody({ transfers: [{ toAddress: zero, points: "1" }], secondsToFinalize: 0 });
  expect((await send("PUT", "/batches/zero?dryRun=true", body)).status).toBe(200);
  expect((await send("PUT", "/batches/zero", body)).status).toBe(200);
  await finalize();
  const { batch } = (await send("GET", "/batches/zero")).body;
  expect([batch.status, batch.transfers]).toEqual(["FINALIZED", [{ toAddress: zero, points: "1" }]]);
});
