import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { database } from "@/server/kernel/database";
import { FaultProxy } from "@/testing/fault-proxy";
import { callApi, forgetSingles, serveFrom } from "@/testing/rest-request";
import { useDatabase } from "@/testing/test-database";
import { firstRun } from "./first-run";

const db = useDatabase();
let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await FaultProxy.start(db.url);
  serveFrom({ ...db, url: proxy.through(db.url) });
});
afterAll(async () => {
  await database().close();
  await proxy.stop();
});

const run = () => firstRun({ embedded: false, baseUrl: "http://service.test" });
const signIns = (lines: string[][]) => lines.flat().filter((line) => line.startsWith("Sign in"));

test("three hosts that start at the same time on an empty database all start, and one creates the first admin", async () => {
  expect(signIns(await Promise.all([run(), run(), run()]))).toEqual([
    expect.stringMatching(/^Sign in {3}admin@example\.com {2}\S+ {3}\(shown once\)$/),
  ]);
  expect(await db.sql`select email, role from staff`).toEqual([
    { email: "admin@example.com", role: "admin" },
  ]);
});

test("the command that the first start prints pays once, however often it is run", async () => {
  const printed = (await firstRun({ embedded: true, baseUrl: "http://service.test" })).join("\n");
  const [, method, path] = /curl -X (\w+) http:\/\/service\.test(\S+)/.exec(printed)!;
  const [token] = /ptb_\w+/.exec(printed)!;
  const body = JSON.parse(/-d '(.*)'/.exec(printed)![1]!);
  const run = () => callApi(token, method!, path!, body);
  expect(await run()).toMatchObject({ status: 200, body: { batchId: "first-batch", replayed: false } });
  expect(await run()).toMatchObject({ status: 200, body: { batchId: "first-batch", replayed: true } });
});

test.each(["refuse", "deaf"] as const)(
  "a database that is briefly down (%s) delays the first run, and the password is still shown",
  async (mode) => {
    await db.sql`delete from staff`;
    await proxy.set(mode);
    const running = run();
    await new Promise((resolve) => setTimeout(resolve, 700));
    await proxy.set("ok");
    expect(signIns([await running])).toHaveLength(1);
    expect(await db.sql`select 1 from staff`).toHaveLength(1);
  },
);

test("the first start refuses a common ADMIN_PASSWORD, and creates no one", async () => {
  await db.sql`delete from staff`;
  await database().close();
  vi.stubEnv("ADMIN_PASSWORD", "password1234");
  forgetSingles();
  await expect(run()).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringMatching(/^ADMIN_PASSWORD: .*Choose another one/),
  });
  expect(await db.sql`select 1 from staff`).toHaveLength(0);
  vi.unstubAllEnvs();
});
