import type { NextRequest } from "next/server";
import { receiptPath } from "@/app/(console)/paths";
import {
  type ContractTransfer,
  columnsOfContract,
  outcomeColumns,
  rowsOfTransfers,
} from "@/app/(console)/transfers-csv";
import type { CsvColumns } from "@/app/data/csv";
import { csvRoute, parseInput } from "@/app/data/csv-reply";
import type { RouteProps } from "@/app/data/page-props";
import { publicOrigin, settings } from "@/server/kernel/settings";
import { readPayout } from "@/server/payouts/read-payout";
import { PayoutKeyInput } from "@/server/payouts/schema";
import { exportPayout, type PayoutTransfer } from "@/server/statements/export-transfers";

export const GET = (request: NextRequest, { params }: RouteProps<"contractAddress" | "payoutId">) =>
  csvRoute(request, async (ctx) => {
    const payout = await readPayout(ctx, parseInput(PayoutKeyInput, await params));
    const { contractAddress } = payout;
    // Only where wallets' pages are on can its reader open a receipt.
    const receipts: CsvColumns<ContractTransfer<PayoutTransfer>> = settings().PUBLIC_RECEIPTS
      ? {
          receipt: ({ status, toAddress, batchId }) =>
            status === "FINALIZED"
              ? `${publicOrigin()}${receiptPath(toAddress, { contractAddress, batchId })}`
              : null,
        }
      : {};
    return {
      name: `payout-${payout.id}.csv`,
      columns: columnsOfContract(contractAddress, { ...outcomeColumns, ...receipts }),
      pages: rowsOfTransfers(exportPayout(ctx, { contractAddress, payoutId: payout.id })),
    };
  });
