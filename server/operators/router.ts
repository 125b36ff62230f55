import { z } from "zod";
import { router, signInProcedure } from "../auth/procedures";
import { publicOrigin, settings } from "../kernel/settings";
import { AddressField, SuccessField } from "../kernel/values/fields";
import { CHALLENGE_SECONDS } from "./challenge";
import { OPERATOR_TOKEN_SECONDS, solveChallenge } from "./solve-challenge";
import { startChallenge } from "./start-challenge";

const tags = ["Operator sign-in"];

/** A wallet's signature in, a bearer token out (docs/api.md, "Operators: sign in with a wallet"). */
export const operatorsRouter = router({
  challenge: signInProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/dapp-auth/challenge",
        tags,
        protect: false,
        summary: "Ask for a message to sign",
        description: `The operator of a contract signs \`message\` and sends the signature to \`/v1/dapp-auth/solve\` within ${CHALLENGE_SECONDS} seconds. The answer is the same for every pair of addresses.`,
      },
    })
    .input(z.strictObject({ contractAddress: AddressField, operatorAddress: AddressField }))
    .output(
      z.strictObject({
        success: SuccessField,
        challengeData: z.string().meta({
          description: "To be sent back as it is.",
          pattern: "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$",
          maxLength: 2048,
        }),
        message: z.string().meta({
          description: "To be signed (ERC-191, `personal_sign`); in the form of ERC-4361.",
          pattern: "^[\\x0a\\x20-\\x7e]+$",
          maxLength: 2048,
        }),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const { CHAIN_ID, AUTH_SECRET } = settings();
      const answer = await startChallenge(ctx.db, input, {
        origin: publicOrigin(),
        chainId: CHAIN_ID,
        secret: AUTH_SECRET!,
      });
      return { success: true as const, ...answer };
    }),

  solve: signInProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/dapp-auth/solve",
        tags,
        protect: false,
        summary: "Trade a signature for a bearer token",
        description: `The token lives ${OPERATOR_TOKEN_SECONDS} seconds, acts for the contract of the challenge with every scope, and ends when the contract gets another operator. A challenge works once.`,
      },
    })
    .input(
      z.strictObject({
        challengeData: z.string().min(1).max(2048).meta({
          description: "As the challenge gave it.",
          pattern: "^[\\x21-\\x7e]+$",
        }),
        signature: z
          .string()
          .max(8194)
          .regex(/^0x(?:[0-9a-fA-F]{2})+$/)
          .meta({
            description:
              "Hex of the signature: 65 bytes with a recovery id of 0, 1, 27 or 28; for a smart-contract wallet, whatever it takes (ERC-1271).",
          }),
      }),
    )
    .output(
      z.strictObject({
        success: SuccessField,
        bearerToken: z.string().meta({
          description: "For `Authorization: Bearer <token>`.",
          pattern: "^pto_[0-9A-Za-z]{36}$",
          maxLength: 40,
        }),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const { AUTH_SECRET, RPC_URL } = settings();
      const answer = await solveChallenge(ctx.db, input, { secret: AUTH_SECRET!, rpcUrl: RPC_URL });
      return { success: true as const, ...answer };
    }),
});
