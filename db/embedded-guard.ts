import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterPaths } from "./embedded-cluster";
import { EmbeddedPostgresError, errorCode } from "./embedded-errors";

const BEAT_MS = 1000;
const SILENT_MS = 10_000;
const LOOK_MS = 100;

export interface FolderClaim {
  /** Stops the signs of life. The claim lapses 10 s later, unless another process of this machine renews it. */
  pause(): void;
  /** Gives the folder free, once its server is stopped. */
  end(): void;
}

/**
 * Claims the folder for the processes of this container or machine, and gives a sign of life every second. Postgres sees
 * neither the pid nor the shared memory of a server in another container, and would start a second one on the same files.
 * @throws EmbeddedPostgresError when the folder's holder gives a sign of life within 10 s
 */
export async function claimFolder({ guard, dataDir }: ClusterPaths): Promise<FolderClaim> {
  const space = pidSpace();
  const holder = () => readHolder(guard)?.space;
  while (holder() !== space) {
    const isFree = !fs.existsSync(guard);
    if (!isFree) await waitForSilence(guard, dataDir);
    put(guard, JSON.stringify({ space, host: os.hostname() }), isFree);
    // Another container may take over in the same moment. The last one to write has the folder.
    if (!isFree) await sleep(BEAT_MS);
  }
  const beat = setInterval(() => {
    try {
      if (holder() === space) fs.utimesSync(guard, new Date(), new Date());
    } catch (error) {
      // The server itself reports a full disk or a missing folder.
      if (!errorCode(error)) throw error;
    }
  }, BEAT_MS);
  beat.unref();
  return {
    pause: () => clearInterval(beat),
    end() {
      clearInterval(beat);
      fs.rmSync(guard, { force: true });
    },
  };
}

/** Writes the file in one step. With `isNew`, leaves one that another container wrote first. */
function put(file: string, text: string, isNew: boolean): void {
  const draft = `${file}.${randomUUID()}`;
  fs.writeFileSync(draft, text);
  try {
    if (isNew) fs.linkSync(draft, file);
    else fs.renameSync(draft, file);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Identifies where process ids are comparable: a pid namespace of one boot on Linux, otherwise the machine. */
function pidSpace(): string {
  try {
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${fs.readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return os.hostname();
  }
}

async function waitForSilence(guard: string, dataDir: string): Promise<void> {
  const heardAt = timeOf(guard);
  while (fileClock(guard) - heardAt < SILENT_MS) {
    if (timeOf(guard) !== heardAt) {
      throw new EmbeddedPostgresError(
        `Another container or machine (${readHolder(guard)?.host}) is running Postgres on DATA_DIR ${dataDir}. Stop it there, or set DATABASE_URL.`,
      );
    }
    await sleep(LOOK_MS);
  }
}

/** The file system's clock, which may belong to another machine. */
function fileClock(guard: string): number {
  const probe = `${guard}.${process.pid}`;
  fs.writeFileSync(probe, "");
  const now = timeOf(probe);
  fs.rmSync(probe);
  return now;
}

function readHolder(guard: string): { space: string; host: string } | null {
  try {
    return JSON.parse(fs.readFileSync(guard, "utf8")) as { space: string; host: string };
  } catch {
    return null;
  }
}

const timeOf = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
