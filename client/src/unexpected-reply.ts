import { ClientError } from "./client-error.ts";

/** A reply that is not from the service: a proxy's HTML page, a redirect, or unknown JSON. */
export class UnexpectedReply extends ClientError {
  override name = "UnexpectedReply";
  /** 0 if a browser hides a redirect. */
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  /** A 2xx with truncated JSON; another attempt may return all of it. */
  readonly isTorn: boolean;

  constructor(
    status: number,
    detail: string,
    options: { retryAfterSeconds?: number | null; isTorn?: boolean } = {},
  ) {
    super(detail);
    this.status = status;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.isTorn = options.isTorn ?? false;
  }
}
