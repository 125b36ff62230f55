import type { NextRequest } from "next/server";
import { hasFilters } from "@/app/(console)/batches/list-params";
import { loadRecipientParams, toReceivedFilters } from "@/app/(console)/recipients/recipient-params";
import { checkedParams, csvRoute, parseInput } from "@/app/data/csv-reply";
import type { RouteProps } from "@/app/data/page-props";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { exportReceived } from "@/server/recipients/export-received";
import { ReceivedFilters } from "@/server/recipients/schema";
import { receivedColumns } from "./received-columns";

export const GET = (request: NextRequest, { params }: RouteProps<"address">) =>
  csvRoute(request, async (ctx) => {
    const query = checkedParams(request, loadRecipientParams(request));
    const filters = parseInput(ReceivedFilters, toReceivedFilters((await params).address, query));
    const address = addressFromBytes(addressToBytes(filters.address));
    const day = new Date().toISOString().slice(0, 10);
    return {
      name: `received-${address}${hasFilters(query) ? "-filtered" : ""}-${day}.csv`,
      columns: receivedColumns(address),
      pages: await exportReceived(ctx, filters),
    };
  });
