import "server-only";
import { cache } from "react";
import { consoleCaller } from "@/server/trpc/caller";

/** Read once per request, for the status, the title and the page. */
export const readContract = cache(async (contractAddress: string) =>
  (await consoleCaller()).console.contracts.get({ contractAddress }),
);
