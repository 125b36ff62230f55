import "server-only";
import { cache } from "react";
import { consoleCaller } from "@/server/trpc/caller";

/** Read once per request, for the status, the title and the page. */
export const readBatch = cache(async (contractAddress: string, batchId: string) =>
  (await consoleCaller()).console.batches.get({ contractAddress, batchId }),
);
