/** What is known about a request that failed. */
export interface FailureFacts {
  /** How many times the request was sent. */
  attempts: number;
  /**
   * Whether the service may have done what was asked although no reply says so: repeat the call with the same batch id,
   * or read the batch. Always false for reads.
   */
  outcomeUnknown: boolean;
  /** The id of the batch that was submitted or cancelled, also when the client made it. */
  batchId: string | null;
}

/** Every error of this package; only an abort rejects with the signal's own reason. */
export abstract class ClientError extends Error implements FailureFacts {
  attempts = 0;
  outcomeUnknown = false;
  batchId: string | null = null;
}

/** The call was given what cannot be sent; nothing was sent. */
export class InvalidArgument extends ClientError {
  override name = "InvalidArgument";
}

/** The token function of the caller failed; its error is the `cause`. */
export class TokenUnavailable extends ClientError {
  override name = "TokenUnavailable";
}

/** The signer function of the caller failed, a wallet's "rejected" for instance; its error is the `cause`. */
export class SigningFailed extends ClientError {
  override name = "SigningFailed";
}
