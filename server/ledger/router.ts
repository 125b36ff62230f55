import { z } from "zod";
import { contractProcedure, router } from "../auth/procedures";
import { addressToBytes } from "../kernel/values/addresses";
import { AddressField, PointsOut, SuccessField } from "../kernel/values/fields";
import { readBalances } from "./accounts";

const Balances = z
  .strictObject({
    available: PointsOut.meta({ description: "What may be sent now." }),
    pendingSent: PointsOut.meta({ description: "Reserved by batches that are not finalized yet." }),
    earnedCumulative: PointsOut.meta({ description: "All that was ever issued or granted to it." }),
    receivedCumulative: PointsOut.meta({ description: "All that finalized batches ever sent to it." }),
    finalizedSentCumulative: PointsOut.meta({ description: "All that its finalized batches ever sent." }),
  })
  .meta({
    id: "Balances",
    description: "available = earned + received − finalizedSent − pendingSent, never negative.",
  });

export const balancesRouter = router({
  get: contractProcedure("batches:read")
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/contracts/{contractAddress}/point-balances",
        tags: ["Balances"],
        summary: "Get the balances of a contract per point type",
        description:
          "What it has available, has reserved for waiting batches, and ever earned, received and sent. Scope `batches:read`.",
      },
    })
    .input(z.strictObject({ contractAddress: AddressField }))
    .output(
      z
        .strictObject({
          success: SuccessField,
          balancesByPointType: z
            .strictObject({ PHASE2_POINTS: Balances, PHASE2_GOLD: Balances })
            .meta({ description: "Balances of the contract in every point type." }),
        })
        .meta({ id: "PointBalances" }),
    )
    .query(async ({ ctx, input }) => ({
      success: true as const,
      balancesByPointType: await readBalances(ctx.db, addressToBytes(input.contractAddress)),
    })),
});
