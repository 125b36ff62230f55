"use client";
import { notify } from "../../../ui/toast";
import { useWebhookRefresh } from "./use-webhook-refresh";

/** After every change: a notice, the dialog closed, and all webhook queries refreshed. */
export function useWebhookChange(close?: () => void) {
  const refresh = useWebhookRefresh();
  return (message: string) => ({
    onSuccess: () => {
      notify("success", message);
      close?.();
    },
    onSettled: refresh,
  });
}
