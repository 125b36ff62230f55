"use client";
import { type QueryFilters, useQueryClient } from "@tanstack/react-query";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { problemOf } from "@/app/data/problem";
import { notify } from "@/app/ui/toast";
import type { AppRouter } from "@/server/trpc/root";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** With a message, success shows it and closes the dialog. Without a dialog, an error is shown as a notice. */
export function useChange(stale: readonly QueryFilters[], close?: () => void) {
  const queryClient = useQueryClient();
  return <Input, Reply>(message?: string | ((input: Input, reply: Reply) => string)) => ({
    onSuccess: (reply: Reply, input: Input) => {
      if (message === undefined) return;
      notify("success", typeof message === "string" ? message : message(input, reply));
      close?.();
    },
    onError: message !== undefined && !close ? notifyError : undefined,
    onSettled: () => Promise.all(stale.map((filter) => queryClient.invalidateQueries(filter))),
  });
}

const notifyError = (error: unknown) => notify("error", problemOf(error).detail);
