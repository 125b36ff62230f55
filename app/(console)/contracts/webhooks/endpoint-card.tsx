"use client";
import { useMutation } from "@tanstack/react-query";
import { Ban, CircleCheck, Clock, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { WebhookEndpoint } from "@/server/webhooks/endpoint-rows";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Instant } from "../../../ui/instant";
import { notify } from "../../../ui/toast";
import { useStaff } from "../../staff";
import { useWebhookChange } from "./use-webhook-change";
import type { Question } from "./webhook-dialogs";

interface EndpointCardProps {
  endpoint: WebhookEndpoint;
  contractAddress: string;
  ask: (question: Question) => void;
  log: ReactNode;
}

const DISABLED_BECAUSE = {
  staff: "By staff",
  failures: "After failing for five days",
  gone: "After a 410 Gone response",
} as const;

export function EndpointCard({ endpoint, contractAddress, ask, log }: EndpointCardProps) {
  const { id, url, events, disabledAt, disabledReason, failingSince, previousSecretUntil } = endpoint;
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
        <Actions
          about={{ id, url, isDisabled: disabledAt !== null }}
          contractAddress={contractAddress}
          ask={ask}
        />
      </div>
      {log}
    </section>
  );
}

function EndpointState({ disabledAt, failingSince, firstDeliveredAt }: WebhookEndpoint) {
  if (disabledAt)
    return (
      <Badge tone="cancelled" icon={Ban}>
        Disabled
      </Badge>
    );
  if (failingSince)
    return (
      <Badge tone="overdue" icon={TriangleAlert}>
        Failing
      </Badge>
    );
  if (!firstDeliveredAt)
    return (
      <Badge tone="pending" icon={Clock}>
        Never used
      </Badge>
    );
  return (
    <Badge tone="finalized" icon={CircleCheck}>
      Active
    </Badge>
  );
}

interface ActionsProps {
  about: { id: string; url: string; isDisabled: boolean };
  contractAddress: string;
  ask: EndpointCardProps["ask"];
}

function Actions({ about: { id, url, isDisabled }, contractAddress, ask }: ActionsProps) {
  const { webhooks } = useTRPC().console;
  const changed = useWebhookChange();
  const fail = (error: unknown) => notify("error", problemOf(error).detail);
  const test = useMutation(webhooks.test.mutationOptions({ ...changed("Test event queued"), onError: fail }));
  const enable = useMutation(
    webhooks.enable.mutationOptions({ ...changed("Webhook enabled"), onError: fail }),
  );
  if (useStaff().role === "viewer") return null;
  const key = { contractAddress, webhookId: id };
  return (
    <div className="flex flex-wrap gap-2">
      {isDisabled ? (
        <Button size="small" disabled={enable.isPending} onClick={() => enable.mutate(key)}>
          Enable
        </Button>
      ) : (
        <Button size="small" disabled={test.isPending} onClick={() => test.mutate(key)}>
          Send test event
        </Button>
      )}
      <Button size="small" onClick={() => ask({ kind: "rotate", id, url })}>
        Rotate secret…
      </Button>
      {!isDisabled && (
        <Button size="small" onClick={() => ask({ kind: "disable", id, url })}>
          Disable…
        </Button>
      )}
      <Button size="small" onClick={() => ask({ kind: "delete", id, url })}>
        Delete…
      </Button>
    </div>
  );
}
