"use client";
import { useMutation } from "@tanstack/react-query";
import { Ban, CircleCheck, Clock, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { WebhookEndpoint } from "@/server/webhooks/endpoints";
import { useTRPC } from "../../../data/trpc";
import { notifyError } from "../../../data/use-change";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Instant } from "../../../ui/instant";
import { useStaff } from "../../staff";
import { useWebhookChange } from "./use-webhook-change";
import type { WebhookDialog } from "./webhook-dialogs";

interface EndpointCardProps {
  endpoint: WebhookEndpoint;
  contractAddress: string;
  openDialog: (dialog: WebhookDialog) => void;
  log: ReactNode;
}

const DISABLED_BECAUSE = {
  staff: "By staff",
  failures: "After failing for five days",
  gone: "After a 410 Gone response",
} as const;

export function EndpointCard({ endpoint, contractAddress, openDialog, log }: EndpointCardProps) {
  const { url, events, disabledAt, disabledReason, failingSince, previousSecretUntil } = endpoint;
  return (
    <section
      aria-label={`Webhook ${url}`}
      className="flex min-w-0 flex-col gap-3 rounded-card border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1.5">
          <h2 className="wrap-anywhere font-mono text-mono">{url}</h2>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-label text-muted">
            <EndpointState {...endpoint} />
            {disabledAt && disabledReason && (
              <span>
                {DISABLED_BECAUSE[disabledReason]}, <Instant at={disabledAt} />
              </span>
            )}
            {!disabledAt && failingSince && (
              <span>
                Since <Instant at={failingSince} />
              </span>
            )}
            {previousSecretUntil && (
              <span>
                Previous secret valid until <Instant at={previousSecretUntil} />
              </span>
            )}
          </div>
          <p className="text-label text-muted">
            {events.map((event) => event.replace("batch.", "")).join(", ")}
          </p>
        </div>
        <Actions endpoint={endpoint} contractAddress={contractAddress} openDialog={openDialog} />
      </div>
      {log}
    </section>
  );
}

const LOOKS = {
  disabled: { label: "Disabled", tone: "cancelled", icon: Ban },
  failing: { label: "Failing", tone: "overdue", icon: TriangleAlert },
  unused: { label: "Never used", tone: "pending", icon: Clock },
  active: { label: "Active", tone: "finalized", icon: CircleCheck },
} as const;

function EndpointState({ disabledAt, failingSince, firstDeliveredAt }: WebhookEndpoint) {
  const state = disabledAt ? "disabled" : failingSince ? "failing" : firstDeliveredAt ? "active" : "unused";
  const { label, ...look } = LOOKS[state];
  return <Badge {...look}>{label}</Badge>;
}

function Actions({ endpoint, contractAddress, openDialog }: Omit<EndpointCardProps, "log">) {
  const { id, url, disabledAt } = endpoint;
  const { webhooks } = useTRPC().console;
  const changed = useWebhookChange();
  const test = useMutation(
    webhooks.test.mutationOptions({ ...changed("Test event queued"), onError: notifyError }),
  );
  const enable = useMutation(
    webhooks.enable.mutationOptions({ ...changed("Webhook enabled"), onError: notifyError }),
  );
  if (useStaff().role === "viewer") return null;
  const key = { contractAddress, webhookId: id };
  return (
    <div className="flex flex-wrap gap-2">
      {disabledAt ? (
        <Button size="small" disabled={enable.isPending} onClick={() => enable.mutate(key)}>
          Enable
        </Button>
      ) : (
        <Button size="small" disabled={test.isPending} onClick={() => test.mutate(key)}>
          Send test event
        </Button>
      )}
      <Button size="small" onClick={() => openDialog({ kind: "rotate", id, url })}>
        Rotate secret…
      </Button>
      {!disabledAt && (
        <Button size="small" onClick={() => openDialog({ kind: "disable", id, url })}>
          Disable…
        </Button>
      )}
      <Button size="small" onClick={() => openDialog({ kind: "delete", id, url })}>
        Delete…
      </Button>
    </div>
  );
}
