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

let sessionChanges = 0;

/** Runs what ends this sign-in and starts another of the same person: a query that meets the gap sends nobody away. */
export async function betweenSessions<T>(run: () => Promise<T>): Promise<T> {
  sessionChanges++;
  try {
    return await run();
  } finally {
    sessionChanges--;
  }
}

function leaveWhenSignedOut(error: unknown): void {
  const isSignedOut = problemOf(error).code === "missing_token" && sessionChanges === 0;
  if (typeof window === "undefined" || !isSignedOut) return;
  const here = location.pathname + location.search;
  location.assign(`/sign-in?error=session_ended&callbackUrl=${encodeURIComponent(here)}`);
}
