import type { paths } from "./api-types.ts";
import { SigningFailed } from "./client-error.ts";
import { pathTo, type ReplyBody, type SentBody } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

type Challenge = paths["/v1/dapp-auth/challenge"]["post"];
type Solve = paths["/v1/dapp-auth/solve"]["post"];

/** How long an operator's token is valid; the reply does not say. */
const TOKEN_MS = 3_600_000;

/**
 * Signs a text with the operator's key (ERC-191, `personal_sign`). Any wallet or key library works: 65 bytes
 * in hex with the recovery ID last, or 64 in the compact form (ERC-2098), with or without `0x`.
 */
export type SignMessage = (message: string) => string | Promise<string>;

export interface SignInOptions extends CallOptions {
  /** The contract's operator. */
  operatorAddress: string;
  signMessage: SignMessage;
}

export interface OperatorSession {
  token: string;
  /** By this machine's clock, in milliseconds since 1970. */
  expiresAt: number;
}

/**
 * Gets a token for a contract's operator: requests a challenge, has it signed, and exchanges the signature.
 * The challenge expires as its message says, after 60 seconds by default, and works once. If the reply is
 * lost, sign in again.
 * @throws SigningFailed; ApiProblem `contract_not_found`, `challenge_expired`, `invalid_signature`,
 * `not_operator` (with `extra.signer`), …; ConnectionFailure, UnexpectedReply
 */
export async function signIn(ctx: ClientContext, options: SignInOptions): Promise<OperatorSession> {
  const { operatorAddress, signMessage, signal } = options;
  const transport = { ...ctx.transport, token: null };
  const challenge = (
    await sendOperation(transport, {
      method: "POST",
      path: pathTo("/v1/dapp-auth/challenge", {}),
      body: { contractAddress: contractOf(ctx, options), operatorAddress } satisfies SentBody<Challenge>,
      repeat: "always",
      member: "challengeData",
      signal,
    })
  ).body as unknown as ReplyBody<Challenge>;
  const signature = await sign(signMessage, challenge.message);
  const startedAt = Date.now();
  const { body } = await sendOperation(transport, {
    method: "POST",
    path: pathTo("/v1/dapp-auth/solve", {}),
    body: { challengeData: challenge.challengeData, signature } satisfies SentBody<Solve>,
    member: "bearerToken",
    repeat: "when_refused",
    signal,
  });
  return { token: (body as unknown as ReplyBody<Solve>).bearerToken, expiresAt: startedAt + TOKEN_MS };
}

async function sign(signMessage: SignMessage, message: string): Promise<string> {
  try {
    return await signMessage(message);
  } catch (cause) {
    throw new SigningFailed("The challenge's message was not signed.", { cause });
  }
}
