import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "vitest";
import { type FaultMode, FaultProxy } from "@/testing/fault-proxy";
import { embeddedUrl } from "@/testing/launch-app";
import { signInTo } from "@/testing/sign-in";
import {
  clientOf,
  type FaultRun,
  type FaultWorld,
  faultTest,
  Host,
  keyOf,
  openWorld,
  startSubmitters,
} from "./fault-run";

/** Longer than the app waits for an unresponsive database. */
const SILENT_MS = 10_500;

/** How long each lasts. `deaf` passes requests on and drops the replies, including the one to COMMIT. */
const FAULTS: [FaultMode, number][] = [
  ["deaf", 1500],
  ["reset", 1500],
  ["blackhole", SILENT_MS],
];

faultTest(
  "with a broken link to Postgres every request is answered, and reading resolves what got no 2xx",
  async (run) => {
    const world = await openWorld(run);
    const proxy = await FaultProxy.start(world.url);
    run.after(() => proxy.stop());
    const host = await Host.started(run, { DATABASE_URL: proxy.through(world.url), DATABASE_POOL_MAX: "10" });
    const submitters = startSubmitters(run, world, {
      baseUrl: host.url,
      clients: 12,
      cancelShare: 0.05,
      waitSecondsMax: 2,
      retries: 0,
      /** Clients give up early, so that outcomes stay unknown and have to be read. */
      persistMs: 1000,
    });
    for (const [mode, ms] of FAULTS) {
      if (run.signal.aborted) break;
      await sleep(1500);
      await proxy.set(mode);
      await sleep(ms);
      await proxy.set("ok");
      await run.untilRecovered();
    }
    await submitters.stop();
    await resolveUnknown(run, world, host);
    await world.finish();
    run.expect(run.unanswered === 0, `${run.unanswered} requests got no answer`);
  },
);

/** Longer than a caller of this app waits. */
const LOCK_MS = 3000;
const LOCKS = 3;

faultTest(
  "a submit whose answer is that it was not applied, because of a lock, is not stored when the lock ends",
  async (run) => {
    const world = await openWorld(run);
    const host = await Host.started(run, { DATABASE_URL: world.url, DATABASE_TIMEOUT_SECONDS: "1" });
    const submitters = startSubmitters(run, world, {
      baseUrl: host.url,
      clients: 24,
      waitSecondsMax: 2,
      retries: 0,
      persistMs: 1000,
    });
    for (let locks = 0; locks < LOCKS && !run.signal.aborted; locks++) {
      await run.untilRecovered();
      await world.db.sql.begin(async (tx) => {
        await tx`select 1 from accounts for update`;
        await sleep(LOCK_MS);
      });
    }
    await run.untilRecovered();
    await submitters.stop();
    await resolveUnknown(run, world, host);
    await world.finish();
    run.expect(world.record.notApplied.size > 0, "no answer said that a batch was not applied");
  },
);

/** Reads each batch whose submit got no 2xx, and compares it with what was sent. */
async function resolveUnknown(run: FaultRun, world: FaultWorld, host: Host): Promise<void> {
  const unknown = [...world.record.unknown];
  for (const [key, digest] of unknown) {
    const batchId = key.slice(key.indexOf("/") + 1);
    const caller = world.callers.find(({ contractAddress }) => keyOf(contractAddress, batchId) === key)!;
    const read = await clientOf(run, host.url, caller)
      .getBatch(batchId)
      .catch((error: { status?: number }) => error.status);
    if (typeof read === "object") {
      run.expect(read.digest === digest, `${key} is stored with different content`);
      world.record.submitted.set(key, digest);
    } else run.expect(read === 404, `reading ${key} returned ${read}`);
  }
}

const BYTES_MAX = 200 * 2 ** 20;
const CHUNK = Buffer.alloc(2 ** 20, 1);

/** The app and its Postgres are on a small file system that something else fills. Mounting it needs root. */
if (process.platform !== "linux" || process.getuid?.() !== 0)
  test.skip("a full disk needs a file system of its own, which only root on Linux can mount");
else
  faultTest(
    "on a full disk requests get 503 and no false 2xx, and the app continues when there is space",
    async (run) => {
      const dataDir = mountSmallDisk(run);
      const host = await Host.started(run, {}, dataDir);
      const world = await openWorld(run, embeddedUrl(dataDir));
      const submitters = startSubmitters(run, world, {
        baseUrl: host.url,
        clients: 6,
        waitSecondsMax: 2,
        retries: 0,
      });
      await submitters.untilAcknowledged(20);
      const before = run.answers.get(503) ?? 0;
      const ballast = fillDisk(dataDir);
      while ((run.answers.get(503) ?? 0) < before + 20 && !run.signal.aborted) await sleep(100);
      rmSync(ballast);
      await run.untilRecovered();
      await submitters.stop();
      await world.finish();
    },
  );

function mountSmallDisk(run: FaultRun): string {
  const dir = run.folder();
  chmodSync(dir, 0o755);
  const options = `size=${BYTES_MAX},mode=0755`;
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", dir], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`a tmpfs could not be mounted: ${stderr}`);
  run.after(async () => spawnSync("umount", [dir]));
  const dataDir = path.join(dir, "data");
  mkdirSync(dataDir, { mode: 0o711 });
  return dataDir;
}

/** Fills every free byte. @returns the file that holds them */
function fillDisk(dataDir: string): string {
  const file = path.join(dataDir, "ballast");
  writeFileSync(file, "");
  for (let size = CHUNK.length; size >= 512; ) {
    try {
      writeFileSync(file, CHUNK.subarray(0, size), { flag: "a" });
    } catch {
      size = Math.floor(size / 2);
    }
  }
  return file;
}

const PAUSE_MS = 25;
const BIG_BYTES = 4 * 1_048_576;

/** A hostile caller's next request, and the statuses that it may get besides 429 and, if busy, 503. */
interface Attack {
  statuses: readonly number[];
  send(count: number): Promise<Response>;
}

faultTest(
  "while three hostile callers send as fast as allowed, every submit of other contracts goes through",
  async (run) => {
    const world = await openWorld(run);
    const host = await Host.started(run, {
      DATABASE_URL: world.url,
      CONSOLE_RATE_LIMIT_PER_MINUTE: "600",
    });
    const { cookie } = await signInTo(host.app);
    const submitters = startSubmitters(run, world, { baseUrl: host.url, clients: 2 });
    let isOver = false;
    const attacks = Promise.all(
      attacksOn(host.url, cookie).map(async (attack) => {
        for (let count = 0; !isOver && !run.signal.aborted; count++) await strike(run, attack, count);
      }),
    );
    await submitters.untilAcknowledged(100);
    isOver = true;
    await attacks;
    await submitters.stop();
    await world.finish();
    run.expect(world.record.unknown.size === 0, `${world.record.unknown.size} submits did not go through`);
    const refused = [...run.answers.keys()].filter((status) => [429, 500, 502, 504].includes(status));
    run.expect(refused.length === 0, `other contracts got ${refused}`);
    // A machine that is busy otherwise may be too slow for one of them, which is then sent again.
    const late = run.answers.get(503) ?? 0;
    run.expect(late * 10 < world.record.submitted.size, `other contracts got 503 ${late} times`);
    run.expect(run.unanswered === 0, `${run.unanswered} requests of other contracts got no answer`);
  },
);

const attacksOn = (url: string, cookie: string): Attack[] => [
  {
    statuses: [200, 207, 400],
    send: (count) => {
      const calls = count % 3 === 2 ? 40 : 10;
      const path = Array(calls).fill("console.batches.facets").join(",");
      // Each with other filters, so that no answer can be shared.
      const inputs = Array.from({ length: calls }, (_, call) => [
        call,
        { createdAfter: new Date(call * 1000 + count).toISOString() },
      ]);
      const input = encodeURIComponent(JSON.stringify(Object.fromEntries(inputs)));
      return fetch(`${url}/api/trpc/${path}?batch=1&input=${input}`, { headers: { Cookie: cookie } });
    },
  },
  { statuses: [200], send: (count) => fetch(`${url}${["/docs", "/docs/errors", "/sign-in"][count % 3]}`) },
  {
    statuses: [200, 401, 403, 413],
    send: (count) =>
      fetch(`${url}/api/auth/callback/credentials`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: url },
        body: `email=a%40example.com&password=${"x".repeat(count % 2 ? BIG_BYTES : 20)}&json=true`,
        redirect: "manual",
      }),
  },
];

async function strike(run: FaultRun, { statuses, send }: Attack, count: number): Promise<void> {
  // No answer is fine: a body that is refused by its headers may still be on its way.
  const reply = await send(count).catch(() => null);
  await reply?.arrayBuffer().catch(() => null);
  if (reply) {
    const { status, headers } = reply;
    const isPutOff = status === 429 || status === 503;
    const words = `a hostile caller got ${status} from ${new URL(reply.url).pathname}`;
    run.expect(isPutOff || statuses.includes(status), words);
    run.expect(!isPutOff || headers.has("retry-after"), `${words} without Retry-After`);
  }
  await sleep(PAUSE_MS);
}
