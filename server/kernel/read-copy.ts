import { finished } from "node:stream/promises";
import type { PendingQuery, Row, TransactionSql } from "postgres";
import type { Database } from "@/db/client";

/**
 * The bytes of a `copy … to stdout`. The connection cannot answer before its COPY has ended, so when a reader
 * stops early, the rest is read and dropped. The driver's own `cancel` does nothing once the bytes flow.
 * @param cancel ends the COPY instead, from another connection
 */
export async function* readCopy(
  copy: Pick<PendingQuery<Row[]>, "readable">,
  cancel: () => PromiseLike<unknown> = () => Promise.resolve(),
): AsyncGenerator<Buffer> {
  const source = await copy.readable();
  let isComplete = false;
  try {
    const chunks: AsyncIterable<Buffer> = source.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) yield chunk;
    isComplete = true;
  } finally {
    if (!isComplete && !source.destroyed) {
      // Before it is cancelled, so that its error has a listener.
      const ended = finished(source).catch(() => undefined);
      // Without a listener for bytes, the driver's stream can pause its connection for good.
      source.on("data", () => undefined);
      await Promise.resolve(cancel()).catch(() => undefined);
      await ended;
    }
  }
}

/** Its lines in ASCII, as many at a time as have arrived. A reader that stops early ends the COPY. */
export async function* linesOfCopy(
  db: Database,
  tx: TransactionSql,
  copy: PendingQuery<Row[]>,
): AsyncGenerator<string[]> {
  const [session] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const cancel = () => db.sql`select pg_cancel_backend(${session!.pid}::int)`;
  let rest = "";
  for await (const chunk of readCopy(copy, cancel)) {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop()!;
    yield lines;
  }
}
