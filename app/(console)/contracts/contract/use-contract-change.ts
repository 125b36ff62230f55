"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../data/trpc";
import { notify } from "../../../ui/toast";

/** After every change: a notice, the dialog closed, and all contract queries refreshed. */
export function useContractChange(close: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (message: string) => ({
    onSuccess: () => {
      notify("success", message);
      close();
    },
    onSettled: () => queryClient.invalidateQueries(trpc.console.contracts.pathFilter()),
  });
}
