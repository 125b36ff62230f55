"use client";
import { useMutation } from "@tanstack/react-query";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Choices } from "../../../ui/choices";
import { FormDialog } from "../../../ui/form-dialog";
import type { AboutWebhook } from "./dialog-props";
import { NewSecret } from "./new-secret";
import { useWebhookRefresh } from "./use-webhook-refresh";

const OVERLAPS = [
  {
    value: "86400",
    label: "24 hours",
    hint: "Events are signed with both secrets, so that the receiver has time to switch.",
  },
  { value: "0", label: "None", hint: "The current secret stops working now. Choose this if it leaked." },
] as const;

export function RotateDialog({ contractAddress, close, id, url }: AboutWebhook) {
  const rotate = useMutation(
    useTRPC().console.webhooks.rotateSecret.mutationOptions({ gcTime: 0, onSettled: useWebhookRefresh() }),
  );
  if (rotate.data) return <NewSecret secret={rotate.data.secret} url={url} close={close} />;
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Rotate the signing secret?"
      description={<span className="wrap-anywhere">Creates a new secret for {url}. It is shown once.</span>}
      problem={rotate.error && problemOf(rotate.error)}
      busy={rotate.isPending}
      submit="Rotate secret"
      onSubmit={(form) =>
        rotate.mutate({ contractAddress, webhookId: id, overlapSeconds: Number(form.get("overlap")) })
      }
    >
      <Choices legend="Overlap" name="overlap" kind="radio" options={OVERLAPS} chosen={["86400"]} />
    </FormDialog>
  );
}
