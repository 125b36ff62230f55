import { beforeAll, expect, test } from "vitest";
import { toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { answerCron } from "../host/answer-cron";
import { readiness } from "../host/health";
import { handleRest } from "../rest/handler";
import { consoleContext } from "../trpc/console-door";
import { single } from "./single";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const WAITS = "The service waits for its database to be migrated.";

const { db } = useLedger({ serves: true });
/** The last migration, as stored in the database. */
let last: { hash: string; created_at: string };

beforeAll(async () => {
  const rows = await db.sql<(typeof last)[]>`
    delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)
    returning hash, created_at`;
  last = rows[0]!;
});

const ask = (path: string) =>
  handleRest(
    toRestRequest({ method: "GET", path, headers: [["authorization", "Bearer ptb_none"]], body: [] }),
  );
const balances = () => ask(`/v1/contracts/${CONTRACT}/point-balances`);
const cron = () =>
  answerCron(
    new Request("http://service.test/api/cron/finalize", {
      headers: { authorization: "Bearer cron-secret-of-this-test" },
    }),
    "request-1",
  );

test("an outdated schema blocks /v1, the cron route and the console, and readiness reports why", async () => {
  expect(await readiness()).toMatchObject({ ready: false, checks: { database: "up", schema: "behind" } });
  for (const reply of [await balances(), await cron()]) {
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await reply.json()).toMatchObject({ code: "unavailable", detail: WAITS });
  }
  await expect(consoleContext("request-1")).rejects.toThrow(WAITS);
  expect((await ask("/v1/openapi.json")).status).toBe(200);
});

test("once the schema is current, requests are served without further checks", async () => {
  await db.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${last.hash}, ${last.created_at})`;
  expect((await balances()).status).toBe(401);
  expect(single<{ isCurrent: boolean }>("schema", () => ({ isCurrent: false })).isCurrent).toBe(true);
  expect(await (await cron()).json()).toMatchObject({ success: true });
});
