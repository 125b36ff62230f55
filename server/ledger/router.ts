import { z } from "zod";
import { AddressField, PointsOut } from "../fields";
import { contractProcedure, router } from "../trpc/procedures";
import { readBalances } from "./accounts";
import { addressToBytes } from "./addresses";

const Balances = z
  .strictObject({
    available: PointsOut,
    pendingSent: PointsOut,
    earnedCumulative: PointsOut,
    receivedCumulative: PointsOut,
    finalizedSentCumulative: PointsOut,
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
      },
    })
    .input(z.strictObject({ contractAddress: AddressField }))
    .output(
      z.strictObject({
        success: z.literal(true),
        balancesByPointType: z.strictObject({ PHASE2_POINTS: Balances, PHASE2_GOLD: Balances }),
      }),
    )
    .query(async ({ ctx, input }) => ({
      success: true as const,
      balancesByPointType: await readBalances(ctx.db, addressToBytes(input.contractAddress)),
    })),
});
