"use client";
import { useMutation } from "@tanstack/react-query";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { FormDialog } from "../../../ui/form-dialog";
import type { AboutWebhook } from "./dialog-props";
import { useWebhookChange } from "./use-webhook-change";

export function DeleteDialog({ contractAddress, close, id, url }: AboutWebhook) {
  const remove = useMutation(
    useTRPC().console.webhooks.delete.mutationOptions(useWebhookChange(close)("Webhook deleted")),
  );
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Delete this webhook?"
      description={
        <span className="wrap-anywhere">
          No more events are sent to {url}, including pending deliveries. Its secret and its delivery log are
          deleted. This cannot be undone.
        </span>
      }
      problem={remove.error && problemOf(remove.error)}
      busy={remove.isPending}
      submit="Delete webhook"
      danger
      onSubmit={() => remove.mutate({ contractAddress, webhookId: id })}
    />
  );
}
