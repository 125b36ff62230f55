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
