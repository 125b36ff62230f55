/** The parts of a `Request` that the API reads. The host's server does not use `Request`, whose URL resolves dots. */
export interface RestRequest {
  /** Absolute, with path and query exactly as they came. */
  readonly url: string;
  readonly method: string;
  /** Repeated headers are joined with `, `. */
  readonly headers: { get(name: string): string | null };
  /** Can be read once; null without a body. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The socket's peer address, where it is known. */
  readonly peer?: string | undefined;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}
