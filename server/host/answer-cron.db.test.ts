import { describe, expect, test } from "vitest";
import { maxDuration } from "@/app/api/cron/finalize/route";
import { getBulkJob, startBulk } from "@/server/batches/bulk/jobs";
import { previewBulk } from "@/server/batches/bulk/preview-bulk";
import { ATTEMPTS_MAX } from "@/server/kernel/held-job";
import { parseSettings } from "@/server/kernel/settings";
import { openBefore } from "@/server/ledger/settled-through";
import { listSnapshots } from "@/server/snapshots/list-snapshots";
import { requestSnapshot } from "@/server/snapshots/request-snapshot";
import { webhookRules } from "@/server/webhooks/address-rules";
import { createEndpoint } from "@/server/webhooks/endpoints";
import { newPerson } from "@/testing/factories";
import { startReceiver } from "@/testing/local-servers";
import { useLedger } from "@/testing/use-ledger";
import { answerCron, callSecondsMax } from "./answer-cron";

const { db, context, useContract, submit } = useLedger({ serves: true });
const contract = useContract();

const cronRequest = (authorization?: string) =>
  new Request("http://service.test/api/cron/finalize", { headers: authorization ? { authorization } : {} });
const call = (authorization?: string) => answerCron(cronRequest(authorization), "request-1");
const RIGHT = "Bearer cron-secret-of-this-test";

describe("the cron route", () => {
  test.each([
    [undefined, "missing_token"],
    ["Bearer wrong", "invalid_token"],
    ["cron-secret-of-this-test", "invalid_token"],
    [`${RIGHT}x`, "invalid_token"],
    ["Bearer ", "invalid_token"],
  ])("finalizes nothing with %j, and answers %s", async (authorization, code) => {
    await submit(contract, [[1, "1"]]);
    const reply = await call(authorization);
    expect([reply.status, reply.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const body = await reply.json();
    expect(body).toMatchObject({ success: false, code, requestId: "request-1" });
    if (!/^Bearer \S/.test(authorization ?? ""))
      expect(body.detail).toMatch(/`Authorization: Bearer <token>`/);
    const [due] = await db.sql<
      { count: number }[]
    >`select count(*)::int as count from batches where status = 'FINALIZED'`;
    expect(due!.count).toBe(0);
  });

  test("reports what it did and what is left, and does nothing the second time", async () => {
    const first = (await (await call(RIGHT)).json()) as object;
    expect(first).toMatchObject({
      success: true,
      batchesFinalized: 5,
      transfersSettled: 5,
      dueLeft: 0,
      failure: null,
    });
    expect(await (await call("bearer cron-secret-of-this-test")).json()).toMatchObject({
      batchesFinalized: 0,
      dueLeft: 0,
    });
  });

  test("takes the snapshots that were requested", async () => {
    const { id, asOf } = await requestSnapshot(context(), {
      ...{ contractAddress: contract, pointType: "PHASE2_POINTS", name: "by cron" },
    });
    while ((await openBefore(db, asOf))?.length !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await call(RIGHT);
    expect(await listSnapshots(context(), { contractAddress: contract })).toMatchObject([
      { id, status: "TAKEN", holders: 1 },
    ]);
  });

  test("answers 200 and says what had too little time, does the rest, and continues it in the next call; five times at most", async () => {
    const request = { contractAddress: contract, pointType: "PHASE2_POINTS" } as const;
    const { asOf } = await requestSnapshot(context(), request);
    while ((await openBefore(db, asOf))?.length !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await db.sql`update contracts set created_at = created_at - interval '2 days'`;
    await db.sql`truncate ledger_checks`;
    await db.sql.unsafe(`
      create function take_hours() returns trigger language plpgsql as $$ begin
        perform pg_sleep(7200); return new; end $$;
      create trigger take_hours before insert on snapshot_holders execute function take_hours()`);
    const short = await answerCron(cronRequest(RIGHT), "request-1", { secondsMax: 20 });
    await db.sql`drop function take_hours cascade`;
    expect([short.status, (await short.json()).unfinished.includes("snapshots")]).toEqual([200, true]);
    expect(await db.sql`select is_ok from ledger_checks`).toEqual([{ is_ok: true }]);
    const none = await answerCron(cronRequest(RIGHT), "request-1", { secondsMax: 0 });
    expect((await none.json()).unfinished).toEqual(expect.arrayContaining(["webhooks", "snapshots"]));
    expect(await db.sql`select attempts from snapshots where status = 'RUNNING'`).toEqual([{ attempts: 1 }]);
    expect(await (await call(RIGHT)).json()).toMatchObject({ unfinished: [] });
    const [taken] = await listSnapshots(context(), { contractAddress: contract });
    expect(taken).toMatchObject({ status: "TAKEN", asOf });
    await db.sql`
      insert into snapshots (id, name, point_type, includes_contracts, as_of, requested_by, attempts) values
      (gen_random_uuid(), 'too large', 'PHASE2_POINTS', false, ${asOf}, 'staff:a@b.c', ${ATTEMPTS_MAX})`;
    expect(await (await call(RIGHT)).json()).toMatchObject({ unfinished: [] });
    const [failed] = await db.sql`select failure from snapshots where name = 'too large'`;
    expect(failed!.failure).toMatch(/did not get further\. An attempt may take 4\d s here, .* with `ops`\.$/);
  });

  test("does everything else in the same call when one job fails, and then answers an error", async () => {
    await submit(contract, [[1, "1"]]);
    await db.sql`alter table recipient_transfers add constraint refused check (points < 0) not valid`;
    await db.sql`insert into spent_challenges (nonce, expires_at) values ('old', now() - interval '1 day')`;
    const reply = await call(RIGHT);
    await db.sql`alter table recipient_transfers drop constraint refused`;
    expect([reply.status, await db.sql`select from spent_challenges`]).toEqual([500, []]);
    expect(await (await call(RIGHT)).json()).toMatchObject({ success: true, batchesFinalized: 0 });
    expect(await db.sql`select from batches where status <> 'FINALIZED'`).toEqual([]);
  });

  test("sends the webhooks of the batches it finalized in the same call, and none when it has no time", async () => {
    const receiver = await startReceiver();
    const events = ["batch.finalizing", "batch.finalized"] as const;
    const endpoint = { contractAddress: contract, url: receiver.url, events };
    await createEndpoint(context(), endpoint, webhookRules());
    await submit(contract, [[1, "1"]]);
    expect(await (await call(RIGHT)).json()).toMatchObject({ batchesFinalized: 1 });
    expect(receiver.received.map(({ body }) => JSON.parse(body).type).sort()).toEqual([...events].sort());
    await db.sql`update webhook_deliveries set delivered_at = null, next_attempt_at = now()`;
    await answerCron(cronRequest(RIGHT), "request-1", { secondsMax: 0 });
    expect(receiver.received).toHaveLength(2);
    await db.sql`truncate webhook_endpoints, webhook_deliveries`;
    await receiver.close();
  });

  test("ends its longest statement before the platform would cut it off", () => {
    for (const DATABASE_TIMEOUT_SECONDS of ["8", "14", "15", "30", "58"])
      for (const limit of [maxDuration, 300]) {
        const given = parseSettings({ DATABASE_TIMEOUT_SECONDS });
        const seconds = callSecondsMax(given, limit);
        expect(seconds).toBeGreaterThan(0);
        expect(seconds + given.DATABASE_TIMEOUT_SECONDS).toBeLessThan(limit);
      }
  });

  test("works on bulk jobs before it finalizes, so that a due batch that staff stopped is not paid, and not when it has no time", async () => {
    const { email } = await newPerson(db, { email: "ann@example.com", role: "operator" });
    const ann = context(`staff:${email}`);
    const jobs = [];
    for (const action of ["cancel", "hold"] as const) {
      const batchId = await submit(contract, [[1, "1"]]);
      const chosen = { keys: [{ contractAddress: contract, batchId }] };
      const { jobId } = await previewBulk(ann, { action, chosen });
      await startBulk(ann, { jobId, reason: "wrong file" });
      jobs.push({ jobId });
    }
    await answerCron(cronRequest(RIGHT), "request-1", { secondsMax: 0 });
    for (const job of jobs) expect((await getBulkJob(ann, job)).status).toBe("RUNNING");
    expect(await (await call(RIGHT)).json()).toMatchObject({ batchesFinalized: 0 });
    for (const job of jobs)
      expect(await getBulkJob(ann, job)).toMatchObject({ status: "FINISHED", done: { batches: 1 } });
  });

  test("finalizes although another transaction keeps a bulk job's batch locked", async () => {
    const { email } = await newPerson(db, { email: "bob@example.com", role: "operator" });
    const bob = context(`staff:${email}`);
    const batchId = await submit(contract, [[1, "1"]], { secondsToFinalize: 3600 });
    const chosen = { keys: [{ contractAddress: contract, batchId }] };
    const { jobId } = await previewBulk(bob, { action: "cancel", chosen });
    await startBulk(bob, { jobId, reason: "wrong file" });
    const due = await submit(contract, [[1, "1"]]);
    await db.sql.unsafe(`
      create function keep_locked() returns trigger language plpgsql as $$ begin
        raise exception 'locked' using errcode = 'lock_not_available'; end $$;
      create trigger keep_locked before update on batches for each row when (new.status = 'CANCELLED')
        execute function keep_locked()`);
    const reply = await call(RIGHT);
    await db.sql`drop function keep_locked cascade`;
    expect(reply.status).toBe(503);
    expect(await db.sql`select status from batches where id = ${due}`).toEqual([{ status: "FINALIZED" }]);
    await call(RIGHT);
    expect((await getBulkJob(bob, { jobId })).done.batches).toBe(1);
  });
});
