import { type ContractDialogProps, useWebhookChange } from "@/app/(console)/contracts/contract/use-contract";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { MutationDialog, SecretDialog } from "@/app/ui/dialogs";
import { Choices, TextField, textOf } from "@/app/ui/fields";
import type { WebhookEndpoint } from "@/server/webhooks/endpoints";
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/terms/batch-terms";

const EVENTS = WEBHOOK_EVENT_NAMES.map((value) => ({ value, label: value.replace("batch.", "") }));

export function AddWebhookDialog({ contract, close }: ContractDialogProps) {
  const refresh = useWebhookChange()();
  return (
    <MutationDialog
      // The secret exists only in the dialog that shows it.
      options={useTRPC().console.webhooks.create.mutationOptions({ ...refresh, gcTime: 0 })}
      close={close}
      title="Add a webhook"
      description="Events for the contract’s batches are sent to this URL as signed POST requests. The
        signing secret is shown once."
      submit="Add webhook"
      inputOf={(form) => ({
        contractAddress: contract.address,
        url: textOf(form, "url"),
        events: form.getAll("events") as WebhookEvent[],
      })}
      result={({ secret }, { url }) => <NewSecret {...{ secret, url, close }} />}
    >
      <TextField
        label="URL"
        hint={useStaff().webhookUrls}
        name="url"
        type="url"
        autoFocus
        placeholder="https://example.com/webhooks"
      />
      <Choices
        legend="Events"
        name="events"
        kind="checkbox"
        inline
        options={EVENTS}
        chosen={WEBHOOK_EVENT_NAMES}
      />
    </MutationDialog>
  );
}

const OVERLAPS = [
  {
    value: "86400",
    label: "24 hours",
    hint: "Events are signed with both secrets, so that the receiver has time to switch.",
  },
  { value: "0", label: "None", hint: "The current secret stops working now. Choose this if it leaked." },
] as const;

interface WebhookDialogProps extends ContractDialogProps {
  webhook: WebhookEndpoint;
}

export function RotateWebhookDialog({ contract, close, webhook: { id, url } }: WebhookDialogProps) {
  const refresh = useWebhookChange()();
  return (
    <MutationDialog
      options={useTRPC().console.webhooks.rotateSecret.mutationOptions({ ...refresh, gcTime: 0 })}
      close={close}
      title="Rotate the signing secret?"
      description={<span className="wrap-anywhere">Creates a new secret for {url}. It is shown once.</span>}
      submit="Rotate secret"
      inputOf={(form) => ({
        contractAddress: contract.address,
        webhookId: id,
        overlapSeconds: Number(form.get("overlap")),
      })}
      result={({ secret }) => <NewSecret {...{ secret, url, close }} />}
    >
      <Choices legend="Overlap" name="overlap" options={OVERLAPS} chosen={["86400"]} />
    </MutationDialog>
  );
}

const NewSecret = ({ secret, url, close }: { secret: string; url: string; close: () => void }) => (
  <SecretDialog
    title="Signing secret created"
    description={
      <p className="wrap-anywhere">
        Use it at {url} to verify signatures (Standard Webhooks). Copy it now. You will not be able to see it
        again.
      </p>
    }
    secret={secret}
    what="secret"
    close={close}
  />
);

const ENDS = {
  disable: {
    title: "Disable this webhook?",
    submit: "Disable webhook",
    done: "Webhook disabled",
    effect: (url: string) =>
      `No events are sent to ${url} until it is enabled again. ` +
      "Pending deliveries are sent then. Events that happen in the meantime are not.",
  },
  delete: {
    title: "Delete this webhook?",
    submit: "Delete webhook",
    done: "Webhook deleted",
    effect: (url: string) =>
      `No more events are sent to ${url}, including pending deliveries. ` +
      "Its secret and its delivery log are deleted. This cannot be undone.",
  },
} as const;

export function EndWebhookDialog(props: WebhookDialogProps & { how: keyof typeof ENDS }) {
  const { contract, close, webhook, how } = props;
  const { title, submit, done, effect } = ENDS[how];
  const { webhooks } = useTRPC().console;
  const changed = useWebhookChange(close);
  return (
    <MutationDialog
      options={webhooks[how].mutationOptions(changed(done))}
      close={close}
      title={title}
      description={<span className="wrap-anywhere">{effect(webhook.url)}</span>}
      submit={submit}
      danger
      inputOf={() => ({ contractAddress: contract.address, webhookId: webhook.id })}
    />
  );
}
