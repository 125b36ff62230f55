const NEWLINE = 0x0a;

/** Lines of a stream of bytes, without their ends. A last line without its end is given too. */
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
