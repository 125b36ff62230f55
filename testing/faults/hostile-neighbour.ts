import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { wallet, withoutTriggers } from "../factories";
import { signInTo } from "../sign-in";
import type { FaultRow, FaultRun } from "./fault-row";
import { Host } from "./hosts";
import type { Caller, FaultWorld } from "./world";
import { openWorld, startRowPostgres } from "./world";

/** Two loops that never wait longer, bounded in time by the measurement. */
const LOOPS = 2;
const PAUSE_MS = 25;
const SECONDS = { full: 5, short: 1 };
const ROUNDS = { full: 3, short: 1 };
const WARM_UP_REQUESTS = 3;
const REST_MS = 3000;
/** The promise: a neighbour's 99th percentile at most doubles. */
const TIMES_MAX = 2;
const BUSY = wallet(0xb0b);
const BATCHES = { full: 300_000, short: 3000 };
const PART = 50_000;
const BIG_BYTES = 4 * 1_048_576;

interface Measured {
  statuses: Record<string, number>;
  count: number;
  p50: number;
  p99: number;
}

/** A request of the hostile caller. */
type Attack = (count: number) => Promise<Response>;

interface Neighbour {
  name: string;
  fault: string;
  /** The statuses of its first requests, if they are known. */
  first?: readonly number[];
  /** The statuses that it may get, besides 429. */
  answers: readonly number[];
  prepare(run: FaultRun, world: FaultWorld, host: Host): Promise<Attack>;
}

function neighbourRow({ name, fault, first: expected, answers, prepare }: Neighbour): FaultRow {
  return {
    name,
    fault,
    promise: `another contract's submits all succeed, and their 99th percentile at most doubles; the hostile caller gets ${answers.join(", ")} or 429`,
    secondsMax: { full: 400, short: 90 },
    async run(run) {
      const world = await openWorld(run, await startRowPostgres(run), 1);
      const host = await Host.started(run, {
        DATABASE_URL: world.url,
        PAGE_RATE_LIMIT_PER_MINUTE: "60",
        CONSOLE_RATE_LIMIT_PER_MINUTE: "600",
      });
      const attack = await prepare(run, world, host);
      const length = run.short ? "short" : "full";
      const measure = () => measureSubmits(run, host.url, world.callers[0]!, SECONDS[length]);
      // The first requests load code.
      await measureSubmits(run, host.url, world.callers[0]!, 1);
      const first: number[] = [];
      for (let count = 0; count < WARM_UP_REQUESTS; count++) first.push(await answerTo(run, attack, count));
      run.tally.expect(
        !expected || first.join() === expected.join(),
        `the first requests were answered ${first.join()}`,
      );
      const [quiet, during]: [Measured[], Measured[]] = [[], []];
      for (let round = 0; round < ROUNDS[length] && !run.signal.aborted; round++) {
        quiet.push(await measure());
        const stop = startAttack(run, attack, answers);
        during.push(await measure());
        await stop();
        if (!run.short) await sleep(REST_MS);
      }
      compare(run, quiet, during);
    },
  };
}

/** Each round is compared with the quiet one before it, because the machine changes. */
function compare(run: FaultRun, quiet: Measured[], during: Measured[]): void {
  const { tally } = run;
  const [p99Before, p99During] = [quiet, during].map((rounds) => median(rounds.map(({ p99 }) => p99)));
  const [p50Before, p50During] = [quiet, during].map((rounds) => median(rounds.map(({ p50 }) => p50)));
  const times = median(during.map(({ p99 }, round) => p99 / quiet[round]!.p99));
  const ms = (value: number | undefined) => `${value!.toFixed(1)} ms`;
  tally.notes.push(
    `submits of the other contract, medians of ${quiet.length}: p50 ${ms(p50Before)} before, ${ms(p50During)} during; p99 ${ms(p99Before)} before, ${ms(p99During)} during, ${times.toFixed(2)} times`,
  );
  for (const { statuses, count } of [...quiet, ...during]) {
    tally.expect(count > 0, "the other contract submitted nothing");
    tally.expect(
      Object.keys(statuses).join() === "200",
      `the other contract got ${Object.keys(statuses).join()}`,
    );
  }
  // A short run shares the machine with other rows.
  if (!run.short) tally.expect(times <= TIMES_MAX, `the other contract's p99 grew ${times.toFixed(2)} times`);
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** @returns the status; 0 without an answer, as a body that is refused by its headers may still be on its way */
async function answerTo({ tally }: FaultRun, attack: Attack, count: number): Promise<number> {
  const startedAt = performance.now();
  tally.injected++;
  try {
    const reply = await attack(count);
    await reply.arrayBuffer();
    tally.answer(reply.status, performance.now() - startedAt);
    if (reply.status === 429)
      tally.expect(reply.headers.has("retry-after"), "a 429 came without Retry-After");
    return reply.status;
  } catch {
    tally.unanswered++;
    return 0;
  }
}

/** @returns a function that ends it */
function startAttack(run: FaultRun, attack: Attack, answers: readonly number[]) {
  let isOver = false;
  const loop = async () => {
    for (let count = 0; !isOver && !run.signal.aborted; count++) {
      const status = await answerTo(run, attack, count);
      run.tally.expect([0, 429, ...answers].includes(status), `the hostile caller got ${status}`);
      await sleep(PAUSE_MS);
    }
  };
  const loops = Promise.all(Array.from({ length: LOOPS }, loop));
  return async () => {
    isOver = true;
    await loops;
  };
}

/** In a process of its own, so that this one's work does not count. */
async function measureSubmits(
  run: FaultRun,
  url: string,
  caller: Caller,
  seconds: number,
): Promise<Measured> {
  const child = spawn(process.execPath, ["testing/faults/measure-submits.mjs"], {
    env: {
      ...process.env,
      BASE_URL: url,
      CONTRACT: caller.contractAddress,
      TOKEN: caller.token,
      SECONDS: String(seconds),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  run.cleanup.add(() => void child.kill());
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code !== 0) throw new Error(`the measurement exited with ${code}`);
  return JSON.parse(output) as Measured;
}

/** Finalized batches that pay one address, in the recipient index. */
async function payOneAddress(world: FaultWorld, batches: number): Promise<void> {
  const contract = `decode('${world.callers[0]!.contractAddress.slice(2)}', 'hex')`;
  for (let from = 1; from <= batches; from += PART)
    await withoutTriggers(
      world.db,
      `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
         submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at)
       select ${contract}, 'old-' || n, 'PHASE2_POINTS', 'FINALIZED', 1, 1, 60, sha256(n::text::bytea), 'token:test', 'r',
         at, at + interval '1 minute', at, at
       from (select n, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second' as at
         from generate_series(${from}, ${Math.min(batches, from + PART - 1)}) n) as made`,
    );
  await withoutTriggers(
    world.db,
    `insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
       select decode('${BUSY.slice(2)}', 'hex'), created_at, seq, contract_address, points from batches;
     update recipient_progress set (created_at, batch_seq) =
       (select created_at, seq from batches order by created_at desc, seq desc limit 1);
     insert into review_progress (created_at, batch_seq) select created_at, batch_seq from recipient_progress
       on conflict (singleton) do update set created_at = excluded.created_at, batch_seq = excluded.batch_seq`,
  );
  await world.db.sql`vacuum analyze`;
}

const CALLS = 10;
const TOO_MANY_CALLS = 40;

const hostileViewer = neighbourRow({
  name: "hostile-viewer",
  fault:
    "A team member requests counts of an address that 300,000 batches pay, 10 or 40 in a request, as fast as allowed",
  first: [200, 200, 400],
  answers: [200, 207, 400],
  async prepare(run, world, host) {
    await payOneAddress(world, BATCHES[run.short ? "short" : "full"]);
    const { cookie } = await signInTo(host.app);
    return (count) => {
      const calls = count % 3 === 2 ? TOO_MANY_CALLS : CALLS;
      // Each with other filters, so that no answer can be shared.
      const inputs = Array.from({ length: calls }, (_, call) => [
        call,
        { recipient: BUSY, createdAfter: new Date(call * 1000 + count).toISOString() },
      ]);
      const input = encodeURIComponent(JSON.stringify(Object.fromEntries(inputs)));
      const path = Array(calls).fill("console.batches.facets").join(",");
      return fetch(`${host.url}/api/trpc/${path}?batch=1&input=${input}`, { headers: { Cookie: cookie } });
    };
  },
});

const hostileReader = neighbourRow({
  name: "hostile-reader",
  fault: "Somebody unknown requests the API reference and the sign-in page as fast as allowed",
  first: [200, 200, 200],
  answers: [200],
  prepare: async (_run, _world, host) => (count) =>
    fetch(`${host.url}${["/docs", "/docs/errors", "/sign-in"][count % 3]}`),
});

const hostileSignIn = neighbourRow({
  name: "hostile-sign-in",
  fault: "Somebody unknown sends sign-ins, every second one of 4 MiB, as fast as allowed",
  answers: [200, 401, 403, 413],
  prepare: async (_run, _world, host) => (count) =>
    fetch(`${host.url}/api/auth/callback/credentials`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: host.url },
      body: `email=a%40example.com&password=${"x".repeat(count % 2 ? BIG_BYTES : 20)}&json=true`,
      redirect: "manual",
    }),
});

export const hostileNeighbours: readonly FaultRow[] = [hostileViewer, hostileReader, hostileSignIn];
