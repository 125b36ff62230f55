import { finished } from "node:stream/promises";
import type { PendingQuery, Row } from "postgres";

type CopyQuery = Pick<PendingQuery<Row[]>, "readable" | "cancel">;

/** The bytes of a `copy … to stdout`. It is cancelled when its reader stops early. */
export async function* readCopy(copy: CopyQuery): AsyncGenerator<Buffer> {
  const source = await copy.readable();
  let isComplete = false;
  try {
    yield* source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    isComplete = true;
  } finally {
    // The connection cannot roll back before its COPY has ended, and nobody reads it any further.
    if (!isComplete) {
      copy.cancel();
      await finished(source.resume()).catch(() => undefined);
    }
  }
}

/** Its lines in ASCII, without their ends, as many at a time as have arrived. */
export async function* linesOfCopy(copy: CopyQuery): AsyncGenerator<string[]> {
  let rest = "";
  for await (const chunk of readCopy(copy)) {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop()!;
    yield lines;
  }
}
