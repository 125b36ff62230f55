import { createLoader, createSerializer, type inferParserType } from "nuqs/server";
import {
  filterParams as batchFilters,
  toFilters as toBatchFilters,
} from "@/app/(console)/batches/list-params";
import type { ReceivedFilters } from "@/server/recipients/schema";

/** Named like those of the batch list. `from` is inclusive, `to` is exclusive. */
const { status, type, contract, from, to } = batchFilters;
export const recipientParams = { status, type, contract, from, to };
export type RecipientParams = inferParserType<typeof recipientParams>;

export const loadRecipientParams = createLoader(recipientParams);
export const recipientQuery = createSerializer(recipientParams);

/** Used by the server and the browser, so that they share a cache key. */
export const toReceivedFilters = (address: string, params: RecipientParams): ReceivedFilters => ({
  address,
  ...toBatchFilters(params),
});
