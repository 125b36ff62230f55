const NEWLINE = 0x0a;

/** Splits a byte stream into lines without their newlines. The last line needs no newline. */
export async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left: Buffer[] = [];
  for await (const chunk of source) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const part = chunk.subarray(from, at);
      yield left.length > 0 ? Buffer.concat([...left, part]) : part;
      left = [];
      from = at + 1;
    }
    if (from < chunk.length) left.push(chunk.subarray(from));
  }
  if (left.length > 0) yield Buffer.concat(left);
}
