import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresError, errorCode } from "./embedded-error";
import { pidSpace } from "./embedded-guard";
import { isAlive } from "./embedded-process";

const BEAT_MS = 1000;
const STALE_MS = 10_000;
const WAIT_MS = 180_000;

/**
 * Runs `work` while no other process starts the same cluster. A killed holder is detected by its pid, or by its silence if
 * it was in another container. Postgres' own lock is the second line of defense.
 * @throws EmbeddedPostgresError after waiting 180 s
 */
export async function withStartLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const mark = `${process.pid} ${randomUUID()} ${pidSpace()}`;
  const giveUpAt = Date.now() + WAIT_MS;
  while (!take(file, mark)) {
    breakIfStale(file);
    if (Date.now() > giveUpAt) {
      throw new EmbeddedPostgresError(
        `Another process has been starting Postgres for too long. Stop it, or delete ${file}.`,
      );
    }
    await sleep(50 + Math.random() * 50);
  }
  const beat = setInterval(() => touch(file), BEAT_MS);
  beat.unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if (read(file) === mark) fs.rmSync(file, { force: true });
  }
}

/** Two starts in this process must not share the lock either. The mark distinguishes them. */
const held = new Set<string>();

function take(file: string, mark: string): boolean {
  try {
    fs.writeFileSync(file, mark, { flag: "wx", mode: 0o600 });
    held.add(mark);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw new EmbeddedPostgresError(
      `Cannot write ${file} (${errorCode(error)}). Free up disk space, or set DATA_DIR to another folder.`,
    );
  }
}

function breakIfStale(file: string): void {
  const mark = read(file);
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (mark === null || !stat) return;
  const [pidText, , ...space] = mark.split(" ");
  const pid = Number(pidText);
  const silent = Date.now() - stat.mtimeMs > STALE_MS;
  const isOurs = space.join(" ") === pidSpace();
  const gone = isOurs && (pid === process.pid ? !held.has(mark) : !isAlive(pid));
  if (!silent && !gone) return;
  // Renaming is atomic, so only one process removes a stale lock. A fresh lock taken by mistake is put back.
  const away = `${file}.${randomUUID()}`;
  try {
    fs.renameSync(file, away);
    if (read(away) !== mark) fs.linkSync(away, file);
  } catch (error) {
    if (!errorCode(error)) throw error;
  }
  fs.rmSync(away, { force: true });
}

function read(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function touch(file: string): void {
  try {
    fs.utimesSync(file, new Date(), new Date());
  } catch (error) {
    if (!errorCode(error)) throw error;
  }
}
