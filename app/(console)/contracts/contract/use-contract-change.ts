"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../data/trpc";
import { notify } from "../../../ui/toast";

/** After every change or proposal: a notice, the dialog closed, and all queries about contracts and approvals refreshed. */
export function useContractChange(close: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (message: string) => ({
    onSuccess: () => {
      notify("success", message);
      close();
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(trpc.console.contracts.pathFilter()),
        queryClient.invalidateQueries(trpc.console.approvals.pathFilter()),
      ]),
  });
}
