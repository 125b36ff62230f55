"use client";
import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useState } from "react";
import type { AppRouter } from "@/server/trpc/root";
import { makeQueryClient } from "./data/query-client";
import { TRPCProvider } from "./data/trpc";
import { TimeZoneProvider } from "./ui/time-zone";
import { Toasts } from "./ui/toast";

const URL_CHARS_MAX = 6_000;
/** The server refuses more. */
const BATCH_CALLS_MAX = 10;

export function Providers({ initialZone, children }: { initialZone: string; children: ReactNode }) {
  const [queryClient] = useState(makeQueryClient);
  const [trpcClient] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [httpBatchLink({ url: "/api/trpc", maxURLLength: URL_CHARS_MAX, maxItems: BATCH_CALLS_MAX })],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <NuqsAdapter>
          <TimeZoneProvider initialZone={initialZone}>{children}</TimeZoneProvider>
        </NuqsAdapter>
      </TRPCProvider>
      <Toasts />
    </QueryClientProvider>
  );
}
