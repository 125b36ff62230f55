import type { NextRequest } from "next/server";
import { loadTransfersParams } from "@/app/(console)/contracts/contract-params";
import { columnsOfContract, rowsOfTransfers } from "@/app/(console)/transfers-csv";
import { checkedParams, csvRoute, parseInput } from "@/app/data/csv-reply";
import type { RouteProps } from "@/app/data/page-props";
import { requestZone } from "@/app/data/request-zone";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { ExportTransfersInput, exportTransfers } from "@/server/statements/export-transfers";
import { periodName } from "./period-name";

export const GET = (request: NextRequest, { params }: RouteProps<"contractAddress">) =>
  csvRoute(request, async (ctx) => {
    const period = checkedParams(request, loadTransfersParams(request));
    const input = parseInput(ExportTransfersInput, {
      ...(await params),
      by: period.by ?? undefined,
      from: period.from?.toISOString(),
      to: period.to?.toISOString(),
    });
    const address = addressFromBytes(addressToBytes(input.contractAddress));
    const days = periodName(input.from, input.to, await requestZone());
    return {
      name: `transfers-${input.by}-${address}-${days}.csv`,
      columns: columnsOfContract(address),
      pages: rowsOfTransfers(await exportTransfers(ctx, input)),
    };
  });
