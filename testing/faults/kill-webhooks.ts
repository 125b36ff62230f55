import { setTimeout as sleep } from "node:timers/promises";
import { WEBHOOK_EVENT_NAMES } from "@/server/kernel/values/batch-terms";
import { ATTEMPT_SECONDS_MAX } from "@/server/webhooks/deliver-due";
import { createEndpoint } from "@/server/webhooks/endpoints";
import { testContext } from "../factories";
import { startReceiver } from "../webhook-receiver";
import type { FaultRow, FaultRun } from "./fault-row";
import { AUTH_SECRET, Host } from "./hosts";
import { keyOf } from "./record";
import { startSubmitters } from "./submitters";
import { type FaultWorld, openWorld, startRowPostgres } from "./world";

const RULES = { serviceSecret: AUTH_SECRET, allowPrivate: true };
const SENT_MS_MAX = 60_000;

/** The receiver sometimes answers 500, or acts and hangs up without an answer, while the sender is killed. */
export const killWebhooks: FaultRow = {
  name: "kill-webhooks",
  fault: "SIGKILL of the app while it sends webhooks; receivers that answer 500, or act and hang up",
  promise:
    "60 kills, at least 1,000 batches: each change makes one webhook, with the same webhook-id on every attempt, received at least once; no webhook without a stored change",
  secondsMax: { full: 900, short: 60 },
  async run(run) {
    const [kills, least] = run.short ? [2, 40] : [60, 1000];
    const world = await openWorld(run, await startRowPostgres(run));
    const told = await startTold(run, world);
    const endPausing = endPausesFor(world);
    run.cleanup.add(endPausing);
    const host = await Host.started(run, { DATABASE_URL: world.url, WEBHOOK_ALLOW_PRIVATE: "on" });
    const submitters = startSubmitters(run, world, {
      baseUrl: host.url,
      clients: 6,
      cancelShare: 0.15,
      waitSecondsMax: 2,
      pauseMs: 50,
    });
    for (let kill = 0; kill < kills && !run.signal.aborted; kill++) {
      await sleep(run.random.between(500, 2000));
      await host.kill();
      run.tally.forgetRecovery();
      await host.start();
      run.tally.recovering();
    }
    await submitters.untilAcknowledged(least);
    await submitters.stop();
    await world.finish();
    told.behave();
    await untilAllSent(run, world);
    await endPausing();
    await expectToldOnce(run, world);
    await told.expectReceived();
  },
};

/** An endpoint per contract for every event, all at one receiver that records what it acted on. */
async function startTold(run: FaultRun, world: FaultWorld) {
  const receiver = await startReceiver();
  run.cleanup.add(() => receiver.close());
  const random = run.random.branch();
  let fails = 0.05;
  const bodyOf = new Map<string, string>();
  receiver.answerWith((response, { id, body }) => {
    if (random.chance(fails)) return void response.writeHead(500).end();
    run.tally.expect((bodyOf.get(id) ?? body) === body, `${id} was sent with two different bodies`);
    bodyOf.set(id, body);
    if (random.chance(fails)) return void response.destroy();
    response.writeHead(204).end();
  });
  for (const { contractAddress } of world.callers)
    await createEndpoint(
      testContext(world.db),
      { contractAddress, url: receiver.url, events: WEBHOOK_EVENT_NAMES },
      RULES,
    );
  return {
    behave() {
      fails = 0;
    },
    async expectReceived(): Promise<void> {
      const stored = await world.db.sql<{ id: string }[]>`select id from webhook_deliveries`;
      const missed = stored.filter(({ id }) => !bodyOf.has(id));
      run.tally.expect(
        missed.length === 0,
        `${missed.length} deliveries are marked as delivered but never arrived`,
      );
      const ids = new Set(stored.map(({ id }) => id));
      const unknown = [...bodyOf.keys()].filter((id) => !ids.has(id));
      run.tally.expect(unknown.length === 0, `${unknown.length} webhooks arrived that are not stored`);
      const created = new Set(
        [...bodyOf.values()]
          .map(
            (body) =>
              JSON.parse(body) as { type: string; data: { contractAddress: string; batchId: string } },
          )
          .filter(({ type }) => type === "batch.created")
          .map(({ data }) => keyOf(data.contractAddress, data.batchId)),
      );
      const untold = [...world.record.submitted.keys()].filter((key) => !created.has(key));
      run.tally.expect(untold.length === 0, `${untold.length} acknowledged batches had no webhook`);
      run.tally.notes.push(
        `${stored.length} deliveries arrived in ${receiver.received.length} requests, for ${world.record.submitted.size} acknowledged batches`,
      );
    },
  };
}

/** A failing endpoint pauses for 5 s and longer, which would be most of the row's time. */
function endPausesFor({ db }: FaultWorld): () => Promise<void> {
  let isOver = false;
  const working = (async () => {
    while (!isOver) {
      await db.sql`update webhook_endpoints set paused_until = null where paused_until is not null`;
      await sleep(200);
    }
  })();
  working.catch(() => undefined);
  return async () => {
    isOver = true;
    await working;
  };
}

/** Failed deliveries wait for minutes, a dead sender's for 30 s. Makes both due as soon as no attempt can be running. */
async function untilAllSent(run: FaultRun, { db }: FaultWorld): Promise<void> {
  for (const endsAt = performance.now() + SENT_MS_MAX; performance.now() < endsAt && !run.signal.aborted; ) {
    await db.sql`
      update webhook_deliveries set next_attempt_at = now()
      where next_attempt_at > now() and last_attempt_at < now() - ${ATTEMPT_SECONDS_MAX + 1}::int * interval '1 second'`;
    const [left] = await db.sql<{ count: number }[]>`
      select (select count(*) from webhook_deliveries where delivered_at is null)::int
        + (select count(*) from batches where status in ('PENDING', 'FINALIZING'))::int as count`;
    if (left!.count === 0) return;
    await sleep(500);
  }
  run.tally.violate("deliveries or batches were still open a minute after the faults ended");
}

/** Each batch must have one created event, and one for each state it reached. */
async function expectToldOnce(run: FaultRun, { db }: FaultWorld): Promise<void> {
  const odd = await db.sql<{ id: string; status: string; events: string }[]>`
    select b.id, b.status, string_agg(d.event, ' ' order by d.event collate "C") as events
    from batches b left join webhook_deliveries d on d.contract_address = b.contract_address and d.batch_seq = b.seq
    group by b.contract_address, b.seq, b.status
    having string_agg(d.event, ' ' order by d.event collate "C") is distinct from case b.status
      when 'FINALIZED' then 'batch.created batch.finalized batch.finalizing'
      when 'CANCELLED' then 'batch.cancelled batch.created' end`;
  const [first] = odd;
  run.tally.expect(
    !first,
    `${odd.length} batches do not have one event per change: ${first?.id} is ${first?.status}, events: ${first?.events}`,
  );
}
