import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";

const SEARCH_CHARS_MAX = 80;

/** In the URL, so that a shared link shows the same list. */
export const contractParams = {
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(["label", "address"] as const).withDefault("label"),
};

export const loadContractParams = createLoader(contractParams);

const PAGE_ROWS = 50;

/** Used by the server and the browser, so that they share a cache key. */
export function toSearchInput({ q, sort }: inferParserType<typeof contractParams>) {
  const search = q.trim().slice(0, SEARCH_CHARS_MAX);
  return { ...(search && { search }), sort, limit: PAGE_ROWS };
}
