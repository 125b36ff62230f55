import { ClientError } from "./client-error.ts";

/** A reply that the service does not give: a proxy's HTML page, a redirect, JSON of another shape. */
export class UnexpectedReply extends ClientError {
  override name = "UnexpectedReply";
  /** 0 where a browser hides a redirect. */
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  /** A 2xx whose JSON ended early: another attempt may bring all of it. */
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
