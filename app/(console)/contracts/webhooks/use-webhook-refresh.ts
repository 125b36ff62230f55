"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../data/trpc";

export function useWebhookRefresh() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.console.webhooks.pathFilter());
}
