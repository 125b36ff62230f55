import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { decideChange, proposeChange } from "@/server/approvals/changes";
import { holdBatch, releaseBatch } from "@/server/batches/change/hold-batch";
import { catchUpReviews } from "@/server/batches/review/review-new-batches";
import { answerCron } from "@/server/host/answer-cron";
import { readiness } from "@/server/host/health";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { indexRecipients } from "@/server/ledger/index-recipients";
import { webhookRules } from "@/server/webhooks/address-rules";
import { createEndpoint } from "@/server/webhooks/endpoints";
import { explain, nodesOf, rowsRead, statementsOf } from "@/testing/explain";
import { shifted, times, wallet, withoutTriggers } from "@/testing/factories";
import { type MailSink, type Receiver, startMailSink, startReceiver } from "@/testing/local-servers";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { batchConditions } from "./find-conditions";
import { sendAlerts } from "./send-alerts";
import { lookForAlerts } from "./watch";

let receiver: Receiver;
let sink: MailSink;
beforeAll(async () => {
  receiver = await startReceiver();
  sink = await startMailSink();
  Object.assign(process.env, {
    PUBLIC_URL: "https://points.example.com",
    ALERT_WEBHOOK_URL: `${receiver.url}/secret-of-the-webhook`,
    SMTP_URL: sink.url,
    MAIL_FROM: "Points <points@example.com>",
    ALERT_EMAIL_TO: "ops@example.com,lead@example.com",
    SELF_CHECK_EVERY_HOURS: "0",
  });
});
afterAll(async () => {
  await receiver.close();
  await sink.close();
});

const { db, context, newContract, submit, finalize } = useLedger({ serves: true, balances: false });
beforeEach(async () => {
  await db.sql`truncate alerts, alert_views, alert_jobs, batch_reviews, review_progress, webhook_endpoints, webhook_deliveries, finalizer_runs, ledger_checks,
    batches, batch_transfers, recipient_transfers, accounts, issuances, contracts, contract_changes, approval_rules`;
  receiver.received.length = 0;
  receiver.answerWith((response) => response.writeHead(200).end("ok"));
  sink.mails.length = 0;
  sink.refuseWith(() => undefined);
  await db.sql`update finalizer_heartbeat set last_tick_at = now()`;
  await finalize();
});

const checksummed = (address: string) => addressFromBytes(addressToBytes(address));
const LATER = { secondsToFinalize: 3600 };
const alertsOf = (role: "viewer" | "operator" | "admin" = "viewer") => callerOf(db, role).alerts;
const open = async () => (await alertsOf().queue()).cards;
const ended = async () => (await alertsOf().ended({})).alerts;
const openOf = async (kind: string) => (await open()).filter((card) => card.kind === kind);
/** Makes it look as if no finalizer has run for ten minutes, or as if one just did. */
const silence = (isSilent: boolean) =>
  db.sql`update finalizer_heartbeat set last_tick_at = now() - make_interval(mins => ${isSilent ? 10 : 0})`;
const posted = () => receiver.received.map(({ body }) => (JSON.parse(body) as { text: string }).text);

/** Lets time pass for alerts. Batches, runs and checks stay where they are. */
async function pass(seconds: number): Promise<void> {
  const moved = (...columns: string[]) =>
    columns.map((name) => `${name} = ${shifted(name, -seconds)}`).join(", ");
  await db.sql.unsafe(`update alerts set ${moved("started_at", "cleared_at", "ended_at")}`);
  await db.sql.unsafe(`update alert_jobs set ${moved("next_at")}`);
}

/** What a host's timer does, after some time. */
async function watch(seconds = 60): Promise<void> {
  await pass(seconds);
  await lookForAlerts(db);
  await sendAlerts(db);
}

/** Moves batches to another time. @param which SQL */
const move = (seconds: number, which = "true") =>
  withoutTriggers(
    db,
    `update batches set created_at = ${shifted("created_at", seconds)}, finalize_at = ${shifted("finalize_at", seconds)} where ${which}`,
  );
/** Makes a batch wait for approval, or no longer. */
const awaitApproval = (batchId: string, need: "REVIEW" | "THRESHOLD" | null) =>
  withoutTriggers(
    db,
    `update batches set approval_need = ${need && `'${need}'`}, awaits_approval = ${need !== null} where id = '${batchId}'`,
  );

/** @returns the contract of a batch that has been due for 90 s */
async function overdueBatch(batchId: string): Promise<string> {
  const contract = await newContract();
  await submit(contract, [[1, "1"]], { batchId });
  await move(-90, `id = '${batchId}'`);
  return contract;
}

test("the inbox has one alert per condition, sent once, however often and wherever it is found", async () => {
  await watch();
  expect(await open()).toEqual([]);
  await overdueBatch("overdue-1");
  const others = await times(2, async () =>
    createDatabase({ url: db.url, poolMax: 2, timeoutSeconds: 8, pooler: "none" }),
  );
  for (let round = 0; round < 2; round++) {
    await pass(60);
    await Promise.all([db as Database, ...others].map((instance) => lookForAlerts(instance)));
  }
  await pass(60);
  await Promise.all(others.map((instance) => sendAlerts(instance)));
  await Promise.all(others.map((instance) => instance.close()));
  expect([posted().length, sink.mails.length]).toEqual([1, 1]);
  expect(await open()).toMatchObject([
    {
      kind: "overdue",
      severity: "critical",
      title: "Batches are overdue",
      remedy: expect.stringContaining("Operators can use “Run now”"),
      path: "/batches?status=OVERDUE",
      batches: null,
      seenBy: [],
    },
  ]);
});

/** Pending batches that a review found unusual, in the order of their submits. */
async function unusualBatches(batches: Record<string, { due: number; level: "unusual" | "alarming" }>) {
  const contractAddress = await newContract();
  for (const [batchId, { due, level }] of Object.entries(batches)) {
    await submit(contractAddress, [[1, "10"]], { batchId, secondsToFinalize: due });
    const findings = { level, total: { level, points: "10", times: "80" } };
    await db.sql`
      insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at, due_at)
      select contract_address, seq, created_at, ${level}, ${JSON.stringify(findings)}::text::jsonb, now(), finalize_at
      from batches where id = ${batchId}`;
  }
  return contractAddress;
}

/**
 * Reviewed batches of one minute, in order: the first is very unusual, every second one has an unusual total, and the others only
 * have new recipients. The later a batch came, the sooner it is due.
 */
async function reviewedInAMinute(count: number, status: "PENDING" | "FINALIZED" = "PENDING") {
  const contract = await newContract();
  await withoutTriggers(
    db,
    `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
       submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at)
     select decode('${contract.slice(2)}', 'hex'), 'b-' || n, 'PHASE2_POINTS', '${status}', 1, 1, 7200,
       sha256(n::text::bytea), 'token:test', 'r', now() + n * interval '1 millisecond',
       now() ${status === "PENDING" ? "+ interval '2 hours'" : "- interval '1 hour'"} - n * interval '1 second',
       case when '${status}' = 'FINALIZED' then now() end, case when '${status}' = 'FINALIZED' then now() end
     from generate_series(1, ${count}) as n`,
  );
  const recipients = JSON.stringify({ level: "unusual", recipients: { level: "unusual", percent: 90 } });
  const total = (level: string) => JSON.stringify({ level, total: { level, points: "1", times: "80" } });
  await db.sql`
    insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at, due_at)
    select contract_address, seq, created_at, case id when 'b-1' then 'alarming' else 'unusual' end,
      (case when id = 'b-1' then ${total("alarming")}::text when ltrim(id, 'b-')::int % 2 = 0 then ${total("unusual")}::text
        else ${recipients}::text end)::jsonb,
      now(), case when id = 'b-1' or ltrim(id, 'b-')::int % 2 = 0 then finalize_at end
    from batches where contract_address = decode(${contract.slice(2)}, 'hex')`;
}

test.each([
  [501, 252],
  [5000, 1000],
])(
  "a very unusual batch is noticed at the first look, however many came in the same minute (%d), and the others after it",
  async (others, unseenCount) => {
    await reviewedInAMinute(1 + others);
    await watch();
    expect(await alertsOf().summary()).toMatchObject({
      first: { severity: "critical", title: expect.stringMatching(/: b-1$/) },
      unseenCount,
    });
    const [{ count: unusual } = { count: 0 }] = await db.sql<{ count: number }[]>`
      select count(*)::int from batch_reviews where due_at is not null`;
    for (let looks = 1; looks < unusual / 1000; looks++) await watch();
    const found = await db.sql`select 1 from alerts where kind = 'batch' and cleared_at is null`;
    expect(found.count).toBe(unusual);
  },
);

test("a look reads the reviews of batches that are still due and no others, from an index, soonest due first", async () => {
  await reviewedInAMinute(20_000, "FINALIZED");
  await reviewedInAMinute(10);
  await db.sql`vacuum analyze batches, batch_reviews`;
  const { result, sent } = await statementsOf(db.url, (sql) =>
    batchConditions({ ...context(), db: { ...db, sql } }),
  );
  expect(result.map(({ title }) => title.replace(/^.*: /, ""))).toEqual([
    "b-1",
    ...["b-10", "b-8", "b-6", "b-4", "b-2"],
  ]);
  const { text, values } = sent.find((statement) => statement.text.includes("batch_reviews"))!;
  const nodes = nodesOf(await explain(db, text, values, { analyze: true }));
  expect(nodes.map((node) => node["Index Name"])).toContain("batch_reviews_by_due");
  expect(rowsRead(nodes, ["batch_reviews"])).toBe(6);
  expect(rowsRead(nodes, ["batches"])).toBeLessThanOrEqual(6 * 10);
});

test("a batch that was released from its hold is noticed again, and one that is overdue still is", async () => {
  const contractAddress = await unusualBatches({ again: { due: 3600, level: "alarming" } });
  const key = { contractAddress, batchId: "again" };
  const stored = async () => {
    await watch();
    return [...(await db.sql`select 1 from alerts where kind = 'batch' and cleared_at is null`)].length;
  };
  await holdBatch(context(), { ...key, reason: "looks odd" });
  expect(await stored()).toBe(0);
  await releaseBatch(context(), { ...key, reason: "is right" });
  expect(await stored()).toBe(1);
  await holdBatch(context(), { ...key, reason: "odd again" });
  for (let round = 0; round < 4; round++) expect(await stored()).toBe(0);
  await releaseBatch(context(), { ...key, reason: "right again" });
  await db.sql`update batch_reviews set reviewed_at = now() - interval '1 day'`;
  expect(await stored()).toBe(1);
  const [first, next] = await db.sql`select started_at, ended_at from alerts order by started_at`;
  // It was reviewed before, but it did not last that long.
  expect(next!.started_at).toEqual(first!.ended_at);
  await db.sql`truncate alerts, alert_views`;
  await move(-7200);
  await db.sql`update batch_reviews set due_at = (select finalize_at from batches where seq = batch_seq)`;
  expect(await stored()).toBe(1);
});

describe("a condition is noticed:", () => {
  const storeCheck = (findings: string, isOk = false) => db.sql`
    insert into ledger_checks (started_by, reach, started_at, finished_at, is_ok, batches, transfers, accounts, findings)
    values ('test', 'whole', now(), clock_timestamp(), ${isOk}, 1, 1, 1, ${findings}::text::jsonb)`;
  const UNBALANCED = '[{"rule":"sums_balance","detail":"x"}]';
  const UNFINISHED = '[{"rule":"check_completed","detail":"It took too long."}]';

  test("a self-check with findings, and one that did not finish", async () => {
    await storeCheck(UNBALANCED);
    await watch();
    expect(await open()).toMatchObject([
      { kind: "check", severity: "critical", title: "The ledger does not balance" },
    ]);
    await storeCheck(UNFINISHED);
    await watch();
    expect(await open()).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ title: "The ledger does not balance" }),
        expect.objectContaining({
          severity: "warning",
          title: "The last ledger self-check did not finish",
          remedy: "It took too long.",
        }),
      ]),
    );
    await storeCheck("[]", true);
    await watch();
    expect([(await open()).length, (await ended()).length]).toEqual([0, 2]);
  });

  test("a webhook that the service disabled, but not one that staff disabled, without its URL's path", async () => {
    const contractAddress = await newContract();
    for (const reason of ["gone", "staff"]) {
      const { endpoint } = await createEndpoint(
        context(),
        { contractAddress, url: `https://${reason}.example/secret-path`, events: ["batch.created"] },
        webhookRules(),
      );
      await db.sql`update webhook_endpoints set disabled_at = now(), disabled_reason = ${reason} where id = ${endpoint.id}`;
    }
    await watch();
    const found = await open();
    expect(found).toMatchObject([
      { kind: "webhook", severity: "warning", path: `/contracts/${checksummed(contractAddress)}/webhooks` },
    ]);
    expect(found[0]!.remedy).toContain("gone.example");
    expect(found[0]!.remedy).not.toContain("secret-path");
  });

  test("a prefunded contract whose points last less than three days, but not one with enough or without batches", async () => {
    const low = await newContract({ issuance: "PREFUNDED", granted: "100" });
    const enough = await newContract({ issuance: "PREFUNDED", granted: "100" });
    await newContract({ issuance: "PREFUNDED", granted: "1" });
    const issuing = await newContract();
    // 71 in 7 days are 10.14 a day: 29 last 2.8 days, and 30 would last 3.
    await submit(low, [[1, "71"]], LATER);
    await submit(enough, [[1, "70"]], LATER);
    await submit(issuing, [[1, "1000"]], LATER);
    await watch();
    const found = await openOf("points");
    expect(found).toMatchObject([{ path: `/contracts/${checksummed(low)}`, severity: "warning" }]);
    expect(found[0]!.remedy).toMatch(
      /^29 points are available\. In the last 7 days it submitted 10\.14 a day on average, so they will last 2\.8 days/,
    );
  });

  test("such a contract, however many others spent everything long ago", async () => {
    await db.sql`
      with idle as (
        insert into contracts (address, label, issuance)
        select substring(sha256(n::text::bytea) for 20), 'Idle ' || n, 'PREFUNDED' from generate_series(1, 1001) as n
        returning address
      )
      insert into accounts (address, point_type, earned, sent) select address, 'PHASE2_POINTS', 5, 5 from idle`;
    const low = await newContract({ issuance: "PREFUNDED", granted: "100" });
    await submit(low, [[1, "90"]], LATER);
    await watch();
    expect(await openOf("points")).toMatchObject([{ path: `/contracts/${checksummed(low)}` }]);
  });

  test("a contract whose batches await approval, however many of another are due before them", async () => {
    const other = await newContract();
    await withoutTriggers(
      db,
      `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
         submitted_by, submit_request_id, created_at, finalize_at, approval_need, awaits_approval)
       select decode('${other.slice(2)}', 'hex'), 'b-' || n, 'PHASE2_POINTS', 'PENDING', 1, 1, 60,
         sha256(n::text::bytea), 'token:test', 'r', now(), now() + interval '1 minute', 'THRESHOLD', true
       from generate_series(1, 100001) as n`,
    );
    const contract = await newContract();
    await submit(contract, [[1, "1"]], { batchId: "behind", ...LATER });
    await awaitApproval("behind", "THRESHOLD");
    await watch();
    const paths = (await openOf("approval")).map(({ path }) => path);
    // Those due first, and one for each contract, since the other's are behind them.
    expect(paths).toHaveLength(50);
    const found = await db.sql<{ subject: string }[]>`select subject from alerts where kind = 'approval'`;
    expect(found.map(({ subject }) => subject).sort()).toEqual([other, contract].map(checksummed).sort());
  });

  test("an unusual batch while it can still be stopped; a hold ends the alert's condition", async () => {
    const contract = await newContract();
    for (let count = 0; count < 3; count++) await submit(contract, [[1, "10"]]);
    await finalize();
    await submit(contract, [[1, "10"]], { batchId: "usual", ...LATER });
    await submit(contract, [[1, "12340"]], { batchId: "odd", ...LATER });
    const toNewRecipients: [number, string][] = [
      [8, "10"],
      [9, "1"],
    ];
    await submit(contract, toNewRecipients, { batchId: "only-new-recipients", ...LATER });
    // Submits of the current millisecond are behind the index's horizon.
    await new Promise((resolve) => setTimeout(resolve, 5));
    while ((await indexRecipients(db)) > 0);
    await catchUpReviews(db, 60);
    const due = await db.sql`
      select b.id from batch_reviews r join batches b on b.seq = r.batch_seq where r.due_at = b.finalize_at`;
    expect([...due]).toEqual([{ id: "odd" }]);
    await db.sql`update batch_reviews set reviewed_at = reviewed_at - interval '1 hour'`;
    await watch();
    const [card] = await openOf("batch");
    expect([card]).toMatchObject([
      {
        severity: "critical",
        title: expect.stringMatching(/^Very unusual batch of .*: odd$/),
        remedy: expect.stringContaining("The total is 12,340, 1,234 times the most that 95%"),
        path: `/batches/${checksummed(contract)}/odd`,
      },
    ]);
    // Long after it was submitted.
    await withoutTriggers(
      db,
      `update batches set created_at = ${shifted("created_at", -3000)} where id = 'odd'`,
    );
    await watch();
    expect(await openOf("batch")).toHaveLength(1);
    await holdBatch(context(), { contractAddress: contract, batchId: "odd", reason: "looks odd" });
    expect(await openOf("batch")).toEqual([]);
    await watch(15);
    // These seconds have passed for the alert, and none for its batch.
    const startedAt = new Date(Date.parse(card!.startedAt) - 75_000).toISOString();
    const { kind, severity, title, path } = card!;
    const batch = { id: "odd", status: "PENDING" };
    const decision = { event: "held", by: "token:test", reason: "looks odd" };
    expect(await ended()).toMatchObject([{ kind, severity, title, path, startedAt, batch, decision }]);
  });

  test("and lasts while more are found than one look reads: what a cut list lacks has not ended", async () => {
    const contractAddress = await newContract();
    const disable = (count: number) => db.sql`
      insert into webhook_endpoints (contract_address, id, url, events, secret_sealed, created_by, disabled_at, disabled_reason)
      select decode(${contractAddress.slice(2)}, 'hex'), gen_random_uuid(), 'https://example.com/' || n, array['batch.created'], 'x',
        'test', now(), 'failures' from generate_series(1, ${count}::int) as n`;
    await disable(1);
    await watch();
    const [first] = await openOf("webhook");
    await db.sql`update webhook_endpoints set disabled_at = now() - interval '1 day'`;
    await disable(1000);
    await watch();
    const [found] = await db.sql`select cleared_at from alerts where id = ${first!.id}`;
    expect(found).toEqual({ cleared_at: null });
    await db.sql`delete from webhook_endpoints`;
    await watch();
    const [gone] = await db.sql`select cleared_at is not null as cleared from alerts where id = ${first!.id}`;
    expect(gone).toEqual({ cleared: true });
  });

  test("a proposed change to a contract, until another admin decides", async () => {
    const contractAddress = await newContract();
    const sent = async () =>
      await db.sql`select title, remedy, path from alerts where kind = 'proposal' and cleared_at is null`;
    const change = { contractAddress, kind: "OPERATOR", operatorAddress: wallet(1), reason: "new" } as const;
    const { changeId } = await proposeChange(context("staff:ann@example.com"), change);
    await watch();
    expect(await sent()).toEqual([
      {
        title: expect.stringMatching(/^A change to .* awaits approval: Change of operator$/),
        remedy:
          `Now: No operator. Proposed: ${checksummed(wallet(1))}. Proposed by ann@example.com: “new”. ` +
          "Admins other than ann@example.com can approve or reject it on the contract's page.",
        path: `/contracts/${checksummed(contractAddress)}/approvals`,
      },
    ]);
    const decision = { contractAddress, changeId, reason: "agreed" };
    await decideChange(context("staff:bob@example.com"), "approve", decision);
    await watch();
    expect(await sent()).toEqual([]);
    expect(await ended()).toMatchObject([{ kind: "proposal", clearedAt: expect.stringMatching(/Z$/) }]);
  });

  test("even if another one cannot be read, and by the cron route even if one of its jobs fails", async () => {
    const whileLost = async (table: string, work: () => Promise<unknown>) => {
      await db.sql`alter table ${db.sql(table)} rename to lost`;
      await work().finally(() => db.sql`alter table lost rename to ${db.sql(table)}`);
      expect((await open()).map(({ title }) => title)).toContain("Batches are overdue");
    };
    await overdueBatch("overdue-part");
    await whileLost("webhook_endpoints", watch);
    await db.sql`truncate alerts, alert_views, alert_jobs`;
    const headers = { authorization: "Bearer cron-secret-of-this-test" };
    const request = new Request("http://service.test/api/cron/finalize", { headers });
    await whileLost("spent_challenges", async () =>
      expect((await answerCron(request, "request-1", { secondsMax: 0 })).status).toBe(500),
    );
  });

  test("what cannot be read, with the worker of a cluster that is away, also in /readyz, until it can be", async () => {
    await db.sql.unsafe(`alter table batches rename to lost;
      create function away() returns boolean stable language plpgsql as $$ begin
        raise 'connection to the remote node points@10.0.0.7:5432 failed' using errcode = '08006'; end $$;
      create view batches as select * from lost where away()`);
    const remedy = expect.stringContaining("Worker 10.0.0.7:5432 is not responding.");
    await watch();
    expect(await open()).toMatchObject([
      { kind: "unread", severity: "critical", title: "Part of the database cannot be read", remedy },
    ]);
    expect(await readiness()).toMatchObject({ ready: true, checks: { unread: remedy } });
    await db.sql.unsafe("drop view batches; alter table lost rename to batches");
    await watch();
    expect(await open()).toEqual([]);
    expect(await readiness()).toMatchObject({ checks: { unread: null } });
  });
});

describe("outside the console", () => {
  test("a message names the worst first, and of these what is due soonest", async () => {
    await unusualBatches({
      "due-next-week": { due: 7 * 86_400, level: "alarming" },
      "due-tomorrow": { due: 86_400, level: "alarming" },
      "due-soonest-but-less-unusual": { due: 3600, level: "unusual" },
    });
    await watch();
    await watch();
    expect(posted()[0]).toMatch(/^\[Alert\] Very unusual batch of .*: due-tomorrow and 2 more\n/);
  });

  test("one message is sent when something starts, and one when it has ended, by webhook and by email", async () => {
    await overdueBatch("sent-1");
    await watch();
    // It may be a restart, so nothing is sent at first.
    expect(posted()).toEqual([]);
    for (let round = 0; round < 5; round++) await watch();
    expect(posted()).toEqual([
      expect.stringMatching(/^\[Alert\] Batches are overdue\n\nStarted:\n• Batches are overdue \(since /),
    ]);
    expect(posted()[0]).toMatch(/https:\/\/points\.example\.com\/inbox$/);
    await finalize();
    await watch();
    expect(posted()).toHaveLength(1);
    for (let round = 0; round < 5; round++) await watch();
    expect(posted()).toEqual([
      expect.anything(),
      expect.stringMatching(/^\[Resolved\] Batches are overdue\n\nEnded:\n/),
    ]);
    expect(sink.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [["ops@example.com", "lead@example.com"], "[Alert] Batches are overdue"],
      [["ops@example.com", "lead@example.com"], "[Resolved] Batches are overdue"],
    ]);
    expect(await open()).toEqual([]);
  });

  test("an alert that becomes critical is news again: unseen by everyone, and sent once more, to each channel", async () => {
    const contract = await newContract();
    await submit(contract, [[1, "10"]], { batchId: "waits", ...LATER });
    await awaitApproval("waits", "THRESHOLD");
    for (let round = 0; round < 3; round++) await watch();
    const [alert] = await open();
    expect(alert).toMatchObject({
      severity: "warning",
      remedy: expect.stringMatching(/^Its recipients get nothing until it is approved\./),
      path: `/batches/${checksummed(contract)}/waits`,
    });
    await alertsOf().markSeen({ cardIds: [alert!.id] });
    expect((await alertsOf().summary()).unseenCount).toBe(0);
    expect(posted()).toHaveLength(1);

    await move(-7200);
    for (let round = 0; round < 3; round++) await watch();
    expect((await alertsOf().summary()).first).toMatchObject({ severity: "critical" });
    const [risenCard] = await open();
    expect(risenCard!.seenBy).toEqual([]);
    const risen =
      /^\[Alert\] Batches of (Contract \S+) await approval\n\nNow critical:\n• Batches of \1 await approval \(since .* UTC\)\. The first was due at /;
    expect(posted()).toEqual([expect.stringMatching(/\n\nStarted:\n/), expect.stringMatching(risen)]);
    expect(sink.mails).toHaveLength(2);

    // Seen and less severe again, it is not news until it rises once more.
    await alertsOf().markSeen({ cardIds: [risenCard!.id] });
    await move(7200);
    for (let round = 0; round < 3; round++) await watch();
    expect(await open()).toMatchObject([{ severity: "warning", seenBy: [{ email: "viewer@example.com" }] }]);
    expect(posted()).toHaveLength(2);
    // A rise that could not be sent before the end is not sent, but the end is, since a start was.
    receiver.answerWith((response) => response.writeHead(500).end());
    await move(-7200);
    await watch();
    await watch();
    await awaitApproval("waits", null);
    await finalize();
    receiver.answerWith((response) => response.writeHead(200).end());
    for (let round = 0; round < 5; round++) await watch(1000);
    expect(posted().at(-1)).toMatch(/^\[Resolved\] Batches of /);
    expect(await open()).toEqual([]);
  });

  test("a condition that keeps coming back is sent more and more rarely", async () => {
    for (let minutes = 0; minutes < 60; minutes += 6)
      for (const isSilent of [true, true, false, false]) {
        await silence(isSilent);
        await watch(isSilent ? 60 : 120);
      }
    // Ten rounds: without damping each would be sent when it starts and when it ends.
    expect(posted().length).toBeLessThanOrEqual(6);
  });

  test("what could not be sent is sent later, as one message, and each failure waits longer", async () => {
    receiver.answerWith((response) => response.writeHead(500).end("try later"));
    await overdueBatch("sent-4");
    for (let round = 0; round < 10; round++) await watch();
    const waits = receiver.received.length;
    // After 1, 2 and 4 minutes.
    expect(waits).toBeGreaterThanOrEqual(2);
    expect(waits).toBeLessThanOrEqual(4);
    expect(sink.mails).toHaveLength(1);
    expect(await alertsOf().channels()).toMatchObject([
      { channel: "webhook", failure: "HTTP 500 try later", lastSentAt: null },
      { channel: "email", failure: null, lastSentAt: expect.stringMatching(/Z$/) },
    ]);
    receiver.answerWith((response) => response.writeHead(200).end());
    await watch(1000);
    expect(receiver.received).toHaveLength(waits + 1);
    expect(posted().at(-1)).toMatch(/^\[Alert\] Batches are overdue\n/);
    await watch();
    expect(receiver.received).toHaveLength(waits + 1);
  });
});

test("a test is sent by admins only, says what was answered, hides the path, and is audited", async () => {
  receiver.answerWith((response) =>
    response.writeHead(404).end("no_service for /hook/secret-of-the-webhook\n"),
  );
  const send = (channel: "webhook" | "email") => alertsOf("admin").sendTest({ channel });
  expect(await send("webhook")).toEqual({ isSent: false, answer: "HTTP 404 no_service for •••" });
  receiver.answerWith((response) => response.writeHead(200).end("ok"));
  expect(await send("webhook")).toEqual({ isSent: true, answer: "HTTP 200 ok" });
  expect(await send("email")).toEqual({ isSent: true, answer: "250 2.0.0 OK: queued as SINK" });
  expect(sink.mails[0]).toMatchObject({ subject: "[Test] Point transfer batch alerts" });
  expect(sink.mails[0]!.text).toContain("sent by admin@example.com");
  const audited = await db.sql`select actor, target from audit_log where action = 'alert.test' order by id`;
  expect([...audited]).toEqual(
    ["webhook", "webhook", "email"].map((channel) => ({
      actor: "staff:admin@example.com",
      target: `alerts:${channel}`,
    })),
  );
  for (const role of ["viewer", "operator"] as const)
    await expect(alertsOf(role).sendTest({ channel: "email" })).rejects.toThrow(/requires the role admin/);
  expect(sink.mails).toHaveLength(1);
  const channels = await alertsOf().channels();
  expect(channels).toMatchObject([
    { target: `127.0.0.1:${receiver.port}` },
    { target: `ops@example.com, lead@example.com through 127.0.0.1:${sink.port}` },
  ]);
  expect(JSON.stringify(channels)).not.toContain("secret-of-the-webhook");
});
