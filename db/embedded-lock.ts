import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresError, faultCode } from "./embedded-error";
import { pidSpace } from "./embedded-guard";
import { isAlive } from "./embedded-process";

const BEAT_MS = 1000;
const STALE_MS = 10_000;
const WAIT_MS = 180_000;

/**
 * Runs `work` while no other process starts the same cluster. A holder that was killed is noticed by its pid, or,
 * where pids mean nothing (another container), by its silence. Postgres' own lock stands behind this one.
 * @throws EmbeddedPostgresError after 180 s of waiting.
 */
export async function withStartLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const mark = `${process.pid} ${randomUUID()} ${pidSpace()}`;
  const giveUpAt = Date.now() + WAIT_MS;
  while (!take(file, mark)) {
    breakIfStale(file);
    if (Date.now() > giveUpAt) {
      throw new EmbeddedPostgresError(
        `Another process is starting Postgres for ever; stop it, or delete ${file}.`,
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

/** In this process too, two starts must not share the lock: the mark tells them apart. */
const held = new Set<string>();

function take(file: string, mark: string): boolean {
  try {
    fs.writeFileSync(file, mark, { flag: "wx", mode: 0o600 });
    held.add(mark);
    return true;
  } catch (fault) {
    if (faultCode(fault) === "EEXIST") return false;
    throw new EmbeddedPostgresError(
      `Cannot write ${file} (${faultCode(fault)}); free disk space or set DATA_DIR.`,
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
  // Renaming is atomic: of several who find it stale, one takes it away; a fresh one taken by mistake is put back.
  const away = `${file}.${randomUUID()}`;
  try {
    fs.renameSync(file, away);
    if (read(away) !== mark) fs.linkSync(away, file);
  } catch (fault) {
    if (!faultCode(fault)) throw fault;
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
  } catch (fault) {
    if (!faultCode(fault)) throw fault;
  }
}
