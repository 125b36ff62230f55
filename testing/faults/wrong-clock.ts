import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultRow, FaultRun } from "./fault-row";
import { Host } from "./hosts";
import { startSubmitters } from "./submitters";
import { type FaultWorld, openWorld, startRowPostgres } from "./world";

const OFFSETS = ["+1h", "-1h", "+0", "+59m", "-61m", "+1h"];
const LAG_SECONDS_MAX = 20;

/** libfaketime reads the offset from a file at every clock read, so the app's time can jump while it runs. */
export const wrongClock: FaultRow = {
  name: "wrong-clock",
  fault: "The app's clock an hour fast, an hour slow, and jumping in between",
  promise: "creation, due times and finalizing follow the database's clock",
  secondsMax: { full: 240, short: 75 },
  tool: { program: "faketime", package: "faketime" },
  async run(run) {
    const world = await openWorld(run, await startRowPostgres(run));
    const file = path.join(run.cleanup.folder(), "offset");
    const setClock = (offset: string) => writeFileSync(file, `${offset}\n`);
    setClock("+1h");
    const host = await Host.started(run, {
      DATABASE_URL: world.url,
      LD_PRELOAD: libfaketime(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      DONT_FAKE_MONOTONIC: "1",
    });
    await expectClockIsFaked(run, host);
    const submitters = startSubmitters(run, world, {
      baseUrl: host.url,
      clients: 4,
      cancelShare: 0.1,
      waitSecondsMax: 2,
      pauseMs: 20,
    });
    for (const offset of run.short ? OFFSETS.slice(0, 2) : [...OFFSETS, ...OFFSETS]) {
      setClock(offset);
      run.tally.injected++;
      run.tally.recovering();
      await sleep(5000);
    }
    await submitters.stop();
    await world.finish();
    await expectTimesOfDatabase(run, world);
  },
};

function libfaketime(): string {
  for (const folder of readdirSync("/usr/lib")) {
    const file = `/usr/lib/${folder}/faketime/libfaketime.so.1`;
    if (existsSync(file)) return file;
  }
  throw new Error("libfaketime.so.1 is not where Debian puts it");
}

/** Without this check the row could pass with a correct clock. */
async function expectClockIsFaked(run: FaultRun, host: Host): Promise<void> {
  const reply = await fetch(`${host.ownUrl}/livez`);
  const ahead = Date.parse(reply.headers.get("date") ?? "") - Date.now();
  run.tally.expect(ahead > 3_000_000, `the app's clock is ${Math.round(ahead / 1000)} s ahead, not an hour`);
}

async function expectTimesOfDatabase(run: FaultRun, world: FaultWorld): Promise<void> {
  const [row] = await world.db.sql<{ odd: number; late: number }[]>`
    select count(*) filter (where created_at > now() or created_at < now() - interval '20 minutes')::int as odd,
      count(*) filter (where finalized_at > finalize_at + ${LAG_SECONDS_MAX}::int * interval '1 second')::int as late
    from batches`;
  run.tally.expect(
    row!.odd === 0,
    `${row!.odd} batches have a creation time that the database's clock never had`,
  );
  run.tally.expect(row!.late === 0, `${row!.late} batches were finalized over ${LAG_SECONDS_MAX} s late`);
}
