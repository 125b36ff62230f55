"use client";
import { useMutation } from "@tanstack/react-query";
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/server/webhooks/events";
import { fieldFault, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Choices } from "../../../ui/choices";
import { Field, Input } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import { NewSecret } from "./new-secret";
import { useWebhookRefresh } from "./use-webhook-refresh";
import type { WebhookDialogProps } from "./webhook-dialogs";

const EVENTS = WEBHOOK_EVENT_NAMES.map((value) => ({ value, label: value.replace("batch.", "") }));

export function AddDialog({ contractAddress, close }: WebhookDialogProps) {
  const create = useMutation(
    // The secret is kept nowhere but in the dialog that shows it.
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
      description="What happens to the contract’s batches from now on is posted there, signed. The secret is shown once."
      problem={problem?.errors ? null : problem}
      busy={create.isPending}
      submit="Add webhook"
      onSubmit={send}
    >
      <Field label="Address" hint="It begins with https:// and is public." error={fieldFault(problem, "url")}>
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
        error={fieldFault(problem, "events")}
      />
    </FormDialog>
  );
}
