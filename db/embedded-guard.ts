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
  /** Gives a sign of life. False when another container or machine has claimed the folder, because this process was suspended. */
  renew(): boolean;
  /** Stops the signs of life. The claim lapses 10 s later, unless another process of this machine renews it. */
  pause(): void;
  /** Gives the folder free, once its server is stopped. */
  end(): void;
}

/**
 * Claims the folder for the processes of this container or machine, and gives a sign of life every second. Postgres sees
 * neither the pid nor the shared memory of a server in another container, and would start a second one on the same files.
 * @param readPid the pid in the server's pid file
 * @param isServed whether a server of this machine runs on the folder; slow outside Linux
 * @param onLost called with the last pid of our server when the claim is lost
 * @throws EmbeddedPostgresError when the folder's holder gives a sign of life within 10 s
 */
export async function claimFolder(
  { guard, dataDir }: ClusterPaths,
  on: { readPid: () => number | null; isServed: () => boolean; onLost: (pid: number | null) => void },
): Promise<FolderClaim> {
  const space = pidSpace();
  const holder = () => readHolder(guard)?.space;
  const claim = () => putNew(guard, JSON.stringify({ space, host: os.hostname() }));
  while (holder() !== space) {
    if (fs.existsSync(guard)) removeStale(guard, await waitForSilence(guard, dataDir));
    claim();
  }
  let isLost = false;
  let server: number | null = null;
  const renew = () => {
    const found = holder();
    if (found === space) {
      server = on.readPid();
      fs.utimesSync(guard, new Date(), new Date());
    } else if (found !== undefined) {
      isLost = true;
      clearInterval(beat);
      on.onLost(server);
    } else if (!fs.existsSync(guard) && on.isServed()) {
      // Another process of this machine gave the folder free while it stopped.
      claim();
    }
  };
  const beat = setInterval(() => {
    try {
      renew();
    } catch (error) {
      // The server itself reports a full disk or a missing folder.
      if (!errorCode(error)) throw error;
    }
  }, BEAT_MS);
  beat.unref();
  return {
    renew() {
      if (!isLost) renew();
      return !isLost;
    },
    pause: () => clearInterval(beat),
    end() {
      clearInterval(beat);
      if (holder() === space) fs.rmSync(guard, { force: true });
    },
  };
}

/** Writes a file in one step. Leaves one that another container wrote first. */
function putNew(file: string, text: string): void {
  const draft = `${file}.${randomUUID()}`;
  fs.writeFileSync(draft, text);
  linkAs(file, draft);
}

/** Removes a claim that was silent, and no other: of several containers that see it, only one can move it away. */
function removeStale(guard: string, silentSince: number | null): void {
  const aside = `${guard}.${randomUUID()}`;
  try {
    fs.renameSync(guard, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  if (timeOf(aside) === silentSince) fs.rmSync(aside, { force: true });
  else linkAs(guard, aside);
}

function linkAs(file: string, draft: string): void {
  try {
    fs.linkSync(draft, file);
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

/** Returns the time of the last sign of life. By our own clock, since that of the holder may be ahead or behind. */
async function waitForSilence(guard: string, dataDir: string): Promise<number | null> {
  const heardAt = timeOf(guard);
  for (const begun = performance.now(); performance.now() - begun < SILENT_MS; await sleep(LOOK_MS)) {
    const time = timeOf(guard);
    if (time === null) break;
    if (time !== heardAt) {
      throw runsElsewhere(readHolder(guard)?.host, dataDir);
    }
  }
  return heardAt;
}

export const runsElsewhere = (host: string | undefined, dataDir: string) =>
  new EmbeddedPostgresError(
    `Another container or machine${host ? ` (${host})` : ""} is running Postgres on DATA_DIR ${dataDir}. Stop it there, or set DATABASE_URL.`,
  );

/** Null when there is none, or when it cannot be read at this moment. */
function readHolder(guard: string): { space: string; host: string } | null {
  try {
    return JSON.parse(fs.readFileSync(guard, "utf8")) as { space: string; host: string };
  } catch {
    return null;
  }
}

const timeOf = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
