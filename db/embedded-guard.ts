import fs from "node:fs";
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterPaths } from "./embedded-cluster";
import { EmbeddedPostgresError, errorCode } from "./embedded-error";

const BEAT_MS = 1000;
const SILENT_MS = 10_000;
const LOOK_MS = 100;

/** Identifies where process ids are comparable: a pid namespace of one boot on Linux, otherwise the machine. */
export function pidSpace(): string {
  try {
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${fs.readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return os.hostname();
  }
}

/**
 * Refuses a folder whose Postgres is run by another container or machine. Its pid and shared memory are not visible here, so
 * Postgres would start a second server on the same files. Call it with the start lock held.
 * @throws EmbeddedPostgresError when that process gives a sign of life within 10 s
 */
export async function refuseForeign(paths: ClusterPaths): Promise<void> {
  const keeper = readKeeper(paths);
  if (!keeper || keeper.space === pidSpace()) return;
  const heardAt = timeOf(paths.guard);
  // The lock file's time shows the file system's clock, which may belong to another machine.
  while (timeOf(paths.lock) - heardAt < SILENT_MS) {
    if (timeOf(paths.guard) !== heardAt) {
      throw new EmbeddedPostgresError(
        `Another container or machine (${keeper.host}) is running Postgres on DATA_DIR ${paths.dataDir}. Stop it there, or set DATABASE_URL.`,
      );
    }
    await sleep(LOOK_MS);
  }
}

/** Signals other containers that this process is alive, until the returned stop is called. */
export function keepGuard(paths: ClusterPaths): () => void {
  const beat = () => {
    try {
      if (readKeeper(paths)?.space === pidSpace()) fs.utimesSync(paths.guard, new Date(), new Date());
      else fs.writeFileSync(paths.guard, JSON.stringify({ space: pidSpace(), host: os.hostname() }));
    } catch (error) {
      // The server itself reports a full disk or a missing folder.
      if (!errorCode(error)) throw error;
    }
  };
  beat();
  const timer = setInterval(beat, BEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export function dropGuard(paths: ClusterPaths): void {
  fs.rmSync(paths.guard, { force: true });
}

function readKeeper(paths: ClusterPaths): { space: string; host: string } | null {
  try {
    return JSON.parse(fs.readFileSync(paths.guard, "utf8")) as { space: string; host: string };
  } catch {
    return null;
  }
}

const timeOf = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
