import "server-only";
import { cache } from "react";
import { consoleCaller } from "@/server/trpc/caller";

/** Read once per request, for the title and the page. */
export const readRecipient = cache(async (address: string) =>
  (await consoleCaller()).console.recipients.get({ address }),
);
