/** What is known about a failed request. */
export interface FailureFacts {
  /** How many times the request was sent. */
  attempts: number;
  /**
   * Whether the request may have taken effect although no reply confirms it. Repeat the call with the same batch id, or read
   * the batch. Always false for reads.
   */
  outcomeUnknown: boolean;
  /** The id of the submitted or cancelled batch, even if the client generated it. */
  batchId: string | null;
}

/** The base of every error of this package. Only an abort rejects with the signal's own reason instead. */
export abstract class ClientError extends Error implements FailureFacts {
  attempts = 0;
  outcomeUnknown = false;
  batchId: string | null = null;
}

/** The arguments cannot be sent; nothing was sent. */
export class InvalidArgument extends ClientError {
  override name = "InvalidArgument";
}

/** The caller's token function failed; its error is the `cause`. */
export class TokenUnavailable extends ClientError {
  override name = "TokenUnavailable";
}

/** The caller's signer function failed, for example because the wallet's user rejected; its error is the `cause`. */
export class SigningFailed extends ClientError {
  override name = "SigningFailed";
}
