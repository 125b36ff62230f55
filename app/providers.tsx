"use client";
import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ComponentProps, useLayoutEffect, useState } from "react";
import { TimeZoneProvider } from "@/app/ui/time";
import type { AppRouter } from "@/server/trpc/root";
import { makeQueryClient } from "./data/query-client";
import { TRPCProvider } from "./data/trpc";
import { useWindowEvent } from "./ui/hooks";
import { paintTheme } from "./ui/theme";
import { notify, Toasts } from "./ui/toast";

const URL_CHARS_MAX = 6_000;
/** The server refuses more. */
const BATCH_CALLS_MAX = 10;

export function Providers(props: ComponentProps<typeof TimeZoneProvider>) {
  const [queryClient] = useState(() => makeQueryClient(notify));
  const [trpcClient] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [httpBatchLink({ url: "/api/trpc", maxURLLength: URL_CHARS_MAX, maxItems: BATCH_CALLS_MAX })],
    }),
  );
  // Next draws a 404 or 500 in the browser, where the theme script of the layout does not run.
  useLayoutEffect(paintTheme, []);
  // Another tab may have changed it.
  useWindowEvent("storage", paintTheme);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <NuqsAdapter>
          <TimeZoneProvider {...props} />
        </NuqsAdapter>
      </TRPCProvider>
      <Toasts />
    </QueryClientProvider>
  );
}
