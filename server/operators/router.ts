import { z } from "zod";
import { inDocument, router, signInProcedure, solveProcedure } from "@/server/auth/procedures";
import { authSecrets, publicOrigin, settings } from "@/server/kernel/settings";
import { AddressField, SuccessField } from "@/terms/fields";
import { OPERATOR_TOKEN_SECONDS, solveChallenge, startChallenge } from "./challenge";
import { SIGNATURE_PATTERN } from "./verify-signature";

export const operatorsRouter = router({
  challenge: signInProcedure
    .meta(
      inDocument("Operator sign-in", "POST /v1/dapp-auth/challenge", {
        summary: "Request a sign-in message",
        description:
          "Returns a `message`. The contract's operator signs it and sends the signature to " +
          "`/v1/dapp-auth/solve` before the message's `Expiration Time`, after 60 seconds by default. " +
          "The reply does not reveal who the operator is.",
        repeats: "always",
      }),
    )
    .input(z.strictObject({ contractAddress: AddressField, operatorAddress: AddressField }))
    .output(
      z.strictObject({
        success: SuccessField,
        challengeData: z.string().meta({
          description: "Opaque challenge. Send it back unchanged.",
          pattern: "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$",
          maxLength: 2048,
        }),
        message: z.string().meta({
          description: "ERC-4361 message to sign with `personal_sign` (ERC-191).",
          pattern: "^[\\x0a\\x20-\\x7e]+$",
          maxLength: 2048,
        }),
      }),
    )
    .mutation(({ ctx, input }) => {
      const { CHAIN_ID, CHALLENGE_SECONDS, AUTH_SECRET } = settings();
      return startChallenge(ctx.db, input, {
        origin: publicOrigin(),
        chainId: CHAIN_ID,
        seconds: CHALLENGE_SECONDS,
        secret: AUTH_SECRET!,
      });
    }),

  solve: solveProcedure
    .meta(
      inDocument("Operator sign-in", "POST /v1/dapp-auth/solve", {
        summary: "Exchange a signature for a token",
        description:
          `The token is valid for ${OPERATOR_TOKEN_SECONDS} seconds, for the contract of the challenge, ` +
          "with the scopes `batches:read` and `batches:write`. It is revoked when the contract gets a new " +
          "operator. Each challenge works once. A signature by another address is refused with " +
          "`not_operator`, which names the signer, and one that the operator's contract does not accept " +
          "with `invalid_signature`.",
        // A challenge works once.
        repeats: [],
      }),
    )
    .input(
      z.strictObject({
        challengeData: z.string().min(1).max(2048).meta({
          description: "`challengeData` from the challenge reply.",
          pattern: "^[\\x21-\\x7e]+$",
        }),
        signature: z
          .string()
          .max(8194)
          .regex(SIGNATURE_PATTERN)
          .meta({
            description:
              "Signature in hex, with or without `0x`: 65 bytes, of which the last is the recovery ID 0, " +
              "1, 27 or 28; 64 bytes in the compact form (ERC-2098); or any bytes that a smart-contract " +
              "wallet accepts (ERC-1271), which are none (`0x`) if it approved the message on chain.",
          }),
      }),
    )
    .output(
      z.strictObject({
        success: SuccessField,
        bearerToken: z.string().meta({
          description: "Send it as `Authorization: Bearer <token>`.",
          pattern: "^pto_[0-9A-Za-z]{36}$",
          maxLength: 40,
        }),
      }),
    )
    .mutation(({ ctx, input }) => {
      const rpcUrl = settings().RPC_URL;
      return solveChallenge(ctx.db, input, { secrets: authSecrets(), rpcUrl });
    }),
});
