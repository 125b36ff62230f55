import { QueryCache, QueryClient } from "@tanstack/react-query";
import { problemOf, retryDelay, shouldRetry } from "./problem";

const FRESH_MS = 5_000;

type Notify = (kind: "success" | "error", message: string) => void;

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: { notify?: Notify };
  }
}

/** @param notify how a change says what became of it (`useChange`); not needed where nothing changes */
export function makeQueryClient(notify?: Notify): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: redirectWhenSignedOut }),
    defaultOptions: {
      queries: { staleTime: FRESH_MS, retry: shouldRetry, retryDelay },
      // A change is never repeated by itself, since it may have been applied. Without a network it fails
      // immediately: sent later, its user would no longer expect it.
      mutations: { retry: false, networkMode: "always", meta: { notify } },
    },
  });
}

let sessionChanges = 0;

/** Replaces the session. A query that fails in between does not redirect to sign-in. */
export async function betweenSessions<T>(run: () => Promise<T>): Promise<T> {
  sessionChanges++;
  try {
    return await run();
  } finally {
    sessionChanges--;
  }
}

function redirectWhenSignedOut(error: unknown): void {
  const isSignedOut = problemOf(error).code === "missing_token" && sessionChanges === 0;
  if (typeof window === "undefined" || !isSignedOut) return;
  const here = location.pathname + location.search;
  location.assign(`/sign-in?error=session_ended&callbackUrl=${encodeURIComponent(here)}`);
}
