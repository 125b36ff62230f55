/** The embedded Postgres cannot run. The message is one line that says what to do. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
}

/** The `code` of a file or process error, such as `EACCES`. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** The errors in what a program printed, or its last lines if there are none. */
export function lastError(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const errors = lines.filter((line) => /(FATAL|PANIC|LOG: {2}could not|error: )/.test(line));
  return (errors.length > 0 ? errors : lines.slice(-3))
    .map((line) => line.replace(/^.*?(FATAL|PANIC|LOG|error): */, ""))
    .join("; ");
}

const IN_PROC = /^\/proc\/self\/cwd/;

/** Turns what the file system or Postgres reports into one line that says what to do. */
export function explainFailure(error: unknown, { dataDir, log }: { dataDir: string; log: string }): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresError) return error;
  const reason = error.message;
  // Such as /dev/null. Postgres may reach DATA_DIR itself by /proc.
  const elsewhere = reason
    .match(/\/[\w./-]+/g)
    ?.find((file) => !IN_PROC.test(file) && !file.startsWith(dataDir));
  const told = [
    [
      /ENOSPC|EDQUOT|no space left|disk quota|could not (extend|write)/i,
      `The disk of ${elsewhere ?? `DATA_DIR ${dataDir}`} is full (${reason}). ` +
        "Free up space, then start again.",
    ],
    [
      /EACCES|EPERM|permission denied|wrong ownership/i,
      elsewhere
        ? `This user may not use ${elsewhere} (${reason}). Check its owner and mode.`
        : `A file in DATA_DIR ${dataDir} belongs to another user (${reason}). ` +
          "Start as that user, or set DATA_DIR to another folder.",
    ],
    [
      /incompatible|was initialized by/i,
      `DATA_DIR was created by another Postgres version (${reason}). ` +
        "Migrate it with pg_dump, or set DATABASE_URL.",
    ],
  ] as const;
  const message = told.find(([pattern]) => pattern.test(reason))?.[1];
  if (!message && (errorCode(error) || error.name !== "Error")) return error;
  return new EmbeddedPostgresError(message ?? `Postgres did not start (${reason}). See ${log}.`);
}
