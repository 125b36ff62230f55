import type { NextRequest } from "next/server";
import { columnsOfContract, rowsOfTransfers } from "@/app/(console)/transfers-csv";
import { csvRoute, parseInput } from "@/app/data/csv-reply";
import type { RouteProps } from "@/app/data/page-props";
import { readPayout } from "@/server/payouts/read-payout";
import { PayoutKeyInput } from "@/server/payouts/schema";
import { exportPayout } from "@/server/statements/export-transfers";

export const GET = (request: NextRequest, { params }: RouteProps<"contractAddress" | "payoutId">) =>
  csvRoute(request, async (ctx) => {
    const payout = await readPayout(ctx, parseInput(PayoutKeyInput, await params));
    const key = { contractAddress: payout.contractAddress, payoutId: payout.id };
    return {
      name: `payout-${payout.id}.csv`,
      columns: columnsOfContract(payout.contractAddress),
      pages: rowsOfTransfers(exportPayout(ctx, key)),
    };
  });
