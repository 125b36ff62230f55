/** The embedded Postgres cannot run; the message is one line that says what to do. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
}

/** The `code` of a file or process fault, such as `EACCES`. */
export function faultCode(fault: unknown): string | undefined {
  return fault instanceof Error && "code" in fault && typeof fault.code === "string" ? fault.code : undefined;
}

/** A file fault of DATA_DIR in one line that says what to do; other faults as they are. */
export function explainFault(fault: unknown, dataDir: string): unknown {
  const code = faultCode(fault);
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new EmbeddedPostgresError(
      `The disk of DATA_DIR ${dataDir} is full; free some space and start again.`,
    );
  }
  if (code === "EACCES" || code === "EPERM") {
    return new EmbeddedPostgresError(
      `A file in DATA_DIR ${dataDir} belongs to another user (${code}); start as that user, or set DATA_DIR.`,
    );
  }
  return fault;
}
