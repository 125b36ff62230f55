"use client";
import { useMutation } from "@tanstack/react-query";
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/server/kernel/outbox/events";
import { fieldError, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Choices } from "../../../ui/choices";
import { Field, Input } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import type { WebhookDialogProps } from "./dialog-props";
import { NewSecret } from "./new-secret";
import { useWebhookRefresh } from "./use-webhook-refresh";

const EVENTS = WEBHOOK_EVENT_NAMES.map((value) => ({ value, label: value.replace("batch.", "") }));

export function AddDialog({ contractAddress, close }: WebhookDialogProps) {
  const create = useMutation(
    // The secret exists only in the dialog that shows it.
    useTRPC().console.webhooks.create.mutationOptions({ gcTime: 0, onSettled: useWebhookRefresh() }),
  );
  if (create.data) return <NewSecret secret={create.data.secret} url={create.variables.url} close={close} />;
  const problem = create.error && problemOf(create.error);
  const send = (form: FormData) =>
    create.mutate({
      contractAddress,
      url: String(form.get("url") ?? "").trim(),
      events: form.getAll("events") as WebhookEvent[],
    });
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Add a webhook"
      description="Events for the contract’s batches are sent to this URL as signed POST requests. The signing secret is shown once."
      problem={problem?.errors ? null : problem}
      busy={create.isPending}
      submit="Add webhook"
      onSubmit={send}
    >
      <Field label="URL" hint="Must be public and start with https://" error={fieldError(problem, "url")}>
        {(control) => (
          <Input
            {...control}
            name="url"
            type="url"
            autoComplete="off"
            autoFocus
            placeholder="https://example.com/webhooks"
          />
        )}
      </Field>
      <Choices
        legend="Events"
        name="events"
        kind="checkbox"
        inline
        options={EVENTS}
        chosen={WEBHOOK_EVENT_NAMES}
        error={fieldError(problem, "events")}
      />
    </FormDialog>
  );
}
