import { z } from "zod";
import { contractProcedure, router } from "../auth/procedures";
import { addressToBytes } from "../kernel/values/addresses";
import { AddressField, PointsOut, replyOf } from "../kernel/values/fields";
import { readBalances } from "./accounts";

const Balances = z
  .strictObject({
    available: PointsOut.meta({ description: "Points that the contract can send now." }),
    pendingSent: PointsOut.meta({ description: "Points reserved by pending batches." }),
    earnedCumulative: PointsOut.meta({ description: "Total points issued or granted to the contract." }),
    receivedCumulative: PointsOut.meta({ description: "Total points received from finalized batches." }),
    finalizedSentCumulative: PointsOut.meta({
      description: "Total points sent by the contract's finalized batches.",
    }),
  })
  .meta({
    id: "Balances",
    description: "available = earned + received − finalizedSent − pendingSent. Never negative.",
  });

export const balancesRouter = router({
  get: contractProcedure("batches:read", "Balances", "GET /v1/contracts/{contractAddress}/point-balances", {
    summary: "Get a contract's balances by point type",
    description:
      "Returns the points that are available, reserved by pending batches, and earned, received and sent in total.",
  })
    .input(z.strictObject({ contractAddress: AddressField }))
    .output(
      replyOf("PointBalances", {
        balancesByPointType: z
          .strictObject({ PHASE2_POINTS: Balances, PHASE2_GOLD: Balances })
          .meta({ description: "The contract's balances in every point type." }),
      }),
    )
    .query(async ({ ctx, input }) => ({
      success: true as const,
      balancesByPointType: await readBalances(ctx.db, addressToBytes(input.contractAddress)),
    })),
});
