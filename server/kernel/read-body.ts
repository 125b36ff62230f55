import type { DomainError } from "@/terms/problems";
import { settings } from "./settings";

/** Far more than a sign-in needs. A larger body could stall all others: 60,000 keys take 0.2 s of CPU. */
const STRANGERS_BYTES_MAX = 16_384;

/** The largest body that is read. @param isStranger a caller without a valid token or session */
export const bodyBytesMax = (isStranger: boolean): number =>
  Math.min(settings().BODY_BYTES_MAX, isStranger ? STRANGERS_BYTES_MAX : Number.POSITIVE_INFINITY);

interface Incoming {
  headers: Pick<Headers, "get">;
  body: AsyncIterable<Uint8Array> | null;
}

/** Reads a body of at most `bytesMax` bytes. @throws the error that `tooLarge` returns, at the limit */
export async function readBytes(
  { headers, body }: Incoming,
  bytesMax: number,
  tooLarge: () => DomainError,
): Promise<Uint8Array> {
  if (Number(headers.get("content-length") ?? 0) > bytesMax) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (body) {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > bytesMax) throw tooLarge();
      chunks.push(chunk);
    }
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
