"use client";
import { notify } from "../../../ui/toast";
import { useWebhookRefresh } from "./use-webhook-refresh";

/** What a change of a webhook does after: say so, and read everything about webhooks anew. */
export function useWebhookChange(close?: () => void) {
  const refresh = useWebhookRefresh();
  return (words: string) => ({
    onSuccess: () => {
      notify("success", words);
      close?.();
    },
    onSettled: refresh,
  });
}
