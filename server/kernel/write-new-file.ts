import { randomUUID } from "node:crypto";
import { createWriteStream, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Writable } from "node:stream";
import type { DomainError } from "@/terms/problems";
import { isDatabaseUnavailable } from "./database-errors";
import { invalid } from "./to-domain-error";

/**
 * Writes a file that does not exist yet, mode 0600. If it fails, no file is left.
 * @param write opens the stream when somebody listens for its errors, and ends it
 * @throws DomainError `validation_failed` when the file exists or cannot be written
 */
export async function writeNewFile<T>(file: string, write: (open: () => Writable) => Promise<T>): Promise<T> {
  refuseExisting(file);
  // Containers that share a folder have the same process ids.
  const draft = `${file}.${randomUUID()}.draft`;
  const removeDraft = () => rmSync(draft, { force: true });
  process.once("exit", removeDraft);
  try {
    const written = await write(() => createWriteStream(draft, { mode: 0o600, flags: "wx" }));
    await syncToDisk(draft);
    try {
      // Another may have been written meanwhile. A link does not replace it, as a new name would.
      linkSync(draft, file);
    } catch {
      // Some file systems have no links.
      refuseExisting(file);
      renameSync(draft, file);
    }
    return written;
  } catch (error) {
    throw fileError(error, file) ?? error;
  } finally {
    process.off("exit", removeDraft);
    if (existsSync(draft)) removeDraft();
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw invalid(`${file} already exists. Choose another file name.`);
}

const FILE_ERRORS: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOENT: "its folder does not exist",
  EACCES: "its folder is not writable",
  EPERM: "its folder is not writable",
  EROFS: "its folder is read-only",
  EPIPE: "its reader has ended",
};

/** Undefined when it was not the file that failed, but the connection to the database. */
function fileError(error: unknown, file: string): DomainError | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (!code || !syscall || syscall === "connect" || isDatabaseUnavailable(error)) return undefined;
  return unwritable(error as NodeJS.ErrnoException, file);
}

/** @param file its name, or another word for where it was written to */
export function unwritable(error: NodeJS.ErrnoException, file: string): DomainError {
  const { code = "unknown" } = error;
  const reason = FILE_ERRORS[code] ? `${FILE_ERRORS[code]} (${code})` : code;
  return invalid(`Cannot write ${file}: ${reason}.`, { cause: error });
}

async function syncToDisk(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}
