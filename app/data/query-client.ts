import { QueryCache, QueryClient } from "@tanstack/react-query";
import { problemOf, shouldRetry } from "./problem";

const FRESH_MS = 5_000;

/** The cache of what the server said; a query's data is taken as fresh for five seconds. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    defaultOptions: { queries: { staleTime: FRESH_MS, retry: shouldRetry } },
  });
}

function leaveWhenSignedOut(error: unknown): void {
  if (typeof window === "undefined" || problemOf(error).code !== "missing_token") return;
  const here = location.pathname + location.search;
  location.assign(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}
