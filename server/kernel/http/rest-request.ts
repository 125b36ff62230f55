/** What of a `Request` the API reads. The host's own server gives it without `Request`, whose URL would resolve dots. */
export interface RestRequest {
  /** Absolute, with path and query exactly as they came. */
  readonly url: string;
  readonly method: string;
  /** Values of a header given more than once come joined with `, `. */
  readonly headers: { get(name: string): string | null };
  /** Read at most once; null without a body. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The network address of the socket's other end, where the door knows it. */
  readonly peer?: string | undefined;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}
