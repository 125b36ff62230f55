import fs from "node:fs";

/** The embedded Postgres cannot run. The message is one line that says what to do. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
}

/** The `code` of a file or process error, such as `EACCES`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Turns a file error in DATA_DIR into one line that says what to do. Returns other errors unchanged. */
export function explainFileError(error: unknown, dataDir: string): unknown {
  const code = errorCode(error);
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new EmbeddedPostgresError(
      `The disk of DATA_DIR ${dataDir} is full. Free up space, then start again.`,
    );
  }
  if (code === "EACCES" || code === "EPERM") {
    return new EmbeddedPostgresError(
      `A file in DATA_DIR ${dataDir} belongs to another user (${code}). Start as that user, or set DATA_DIR to another folder.`,
    );
  }
  return error;
}

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const TAIL_BYTES = 8192;

/** Keeps the log below 10 MB, with one older part. Returns its length. */
export function trimLog(file: string): number {
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= LOG_BYTES_MAX) return bytes;
  fs.copyFileSync(file, `${file}.1`);
  fs.truncateSync(file, 0);
  return 0;
}

/** The errors in the log after its first `from` bytes, or its last lines if there are none. */
export function lastLogError(file: string, from: number): string {
  const tail = fs.readFileSync(file).subarray(from).subarray(-TAIL_BYTES).toString();
  const lines = tail.split("\n").filter((line) => line.trim() !== "");
  const errors = lines.filter((line) => /(FATAL|PANIC|LOG: {2}could not)/.test(line));
  return (errors.length > 0 ? errors : lines.slice(-3))
    .map((line) => line.replace(/^.*?(FATAL|PANIC|LOG): */, ""))
    .join("; ");
}

export function startupError(error: string, port: number, log: string): EmbeddedPostgresError {
  if (isDiskFull(error)) {
    return new EmbeddedPostgresError(
      `The disk of DATA_DIR is full (${error}). Free up space, then start again.`,
    );
  }
  if (/could not bind|address already in use/i.test(error)) {
    return new EmbeddedPostgresError(
      `Port ${port} on 127.0.0.1 is already in use. Stop the program that uses it, or start again.`,
    );
  }
  if (/incompatible|was initialized by/i.test(error)) {
    return new EmbeddedPostgresError(
      `DATA_DIR was created by another Postgres version (${error}). Migrate it with pg_dump, or set DATABASE_URL.`,
    );
  }
  return new EmbeddedPostgresError(`Postgres did not start (${error || "no reason given"}). See ${log}.`);
}

export const isDiskFull = (text: string) => /no space left|disk quota|could not (extend|write)/i.test(text);
