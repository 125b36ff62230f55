import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { embeddedUrl } from "../launch-app";
import type { FaultRow, FaultRun } from "./fault-row";
import { Host } from "./hosts";
import { startSubmitters } from "./submitters";
import { openWorld } from "./world";

const BYTES_MAX = 200 * 2 ** 20;
const CHUNK = Buffer.alloc(2 ** 20, 1);
const RECOVERY_SECONDS_MAX = 30;

/** The app and its embedded Postgres on a 200 MB file system that something else fills. */
export const diskFull: FaultRow = {
  name: "disk-full",
  fault: "A full disk (200 MB tmpfs)",
  promise: "503 and no false 2xx; it recovers when there is space",
  secondsMax: { full: 300, short: 100 },
  impossible: () => (canMount() ? null : "a 200 MB file system cannot be mounted; that needs root on Linux"),
  async run(run) {
    const dataDir = mountSmallDisk(run);
    const host = await Host.started(run, {}, dataDir);
    const world = await openWorld(run, embeddedUrl(dataDir));
    const submitters = startSubmitters(run, world, {
      baseUrl: host.url,
      clients: 6,
      waitSecondsMax: 2,
      retries: 0,
    });
    for (let time = 0; time < (run.short ? 1 : 5) && !run.signal.aborted; time++) {
      await sleep(2000);
      const before = run.tally.answers.get(503) ?? 0;
      const ballast = fillDisk(dataDir);
      run.tally.injected++;
      await sleep(10_000);
      run.tally.expect((run.tally.answers.get(503) ?? 0) > before, "a full disk never caused a 503");
      rmSync(ballast);
      await run.tally.expectRecovery(RECOVERY_SECONDS_MAX, "there was space again");
    }
    await submitters.stop();
    await world.finish();
  },
};

const mount = (dir: string) =>
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${BYTES_MAX},mode=0755`, "tmpfs", dir], {
    encoding: "utf8",
  });
const unmount = (dir: string) => spawnSync("umount", [dir], { encoding: "utf8" });

/** Root in a container often cannot mount. */
function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const dir = mkdtempSync(path.join(tmpdir(), "ptb-mount-"));
  const isMounted = mount(dir).status === 0;
  if (isMounted) unmount(dir);
  rmSync(dir, { recursive: true });
  return isMounted;
}

function mountSmallDisk(run: FaultRun): string {
  const dir = run.cleanup.folder();
  chmodSync(dir, 0o755);
  const mounted = mount(dir);
  if (mounted.status !== 0) throw new Error(`a tmpfs could not be mounted: ${mounted.stderr}`);
  run.cleanup.add(() => {
    const unmounted = unmount(dir);
    if (unmounted.status !== 0) throw new Error(`${dir} is still mounted: ${unmounted.stderr}`);
  });
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
