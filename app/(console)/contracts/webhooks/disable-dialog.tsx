"use client";
import { useMutation } from "@tanstack/react-query";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { FormDialog } from "../../../ui/form-dialog";
import type { AboutWebhook } from "./dialog-props";
import { useWebhookChange } from "./use-webhook-change";

export function DisableDialog({ contractAddress, close, id, url }: AboutWebhook) {
  const disable = useMutation(
    useTRPC().console.webhooks.disable.mutationOptions(useWebhookChange(close)("Webhook disabled")),
  );
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Disable this webhook?"
      description={
        <span className="wrap-anywhere">
          No events are sent to {url} until it is enabled again. Pending deliveries are sent then. Events that
          happen in the meantime are not.
        </span>
      }
      problem={disable.error && problemOf(disable.error)}
      busy={disable.isPending}
      submit="Disable webhook"
      danger
      onSubmit={() => disable.mutate({ contractAddress, webhookId: id })}
    />
  );
}
