"use client";

import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { Ban, CircleCheck, Clock, LoaderCircle, OctagonX, Plus, TriangleAlert } from "lucide-react";
import { BatchLink } from "@/app/(console)/batch-link";
import { useContract, useWebhookChange } from "@/app/(console)/contracts/contract/use-contract";
import { useStaff } from "@/app/(console)/staff";
import { usePages, useTRPC } from "@/app/data/trpc";
import { Badge } from "@/app/ui/badge";
import { Button } from "@/app/ui/button";
import { type DataColumn, PagedTable } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { EmptyNote, Loaded, StaleBanner } from "@/app/ui/states";
import { Instant, When } from "@/app/ui/time";
import type { ListedDelivery } from "@/server/webhooks/deliveries";
import type { WebhookEndpoint } from "@/server/webhooks/endpoints";

interface EndpointProps {
  endpoint: WebhookEndpoint;
}

const DISABLED_BECAUSE = {
  staff: "By staff",
  failures: "After failing for five days",
  gone: "After a 410 Gone response",
} as const;

function EndpointCard({ endpoint }: EndpointProps) {
  const { url, events, disabledAt, disabledReason, failingSince, previousSecretUntil } = endpoint;
  const working = endpoint.firstDeliveredAt ? "active" : "unused";
  const state = disabledAt ? "disabled" : failingSince ? "failing" : working;
  return (
    <section aria-label={`Webhook ${url}`} className="card flex min-w-0 flex-col gap-3 p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1.5">
          <h3 className="wrap-anywhere mono">{url}</h3>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 hint">
            <Badge {...LOOKS[state]} />
            {disabledReason && DISABLED_BECAUSE[disabledReason]}
            <Since words={disabledAt ? "since" : "Since"} at={disabledAt ?? failingSince} />
            <Since words="Previous secret valid until" at={previousSecretUntil} />
          </div>
          <p className="hint">{events.map((event) => event.replace("batch.", "")).join(", ")}</p>
        </div>
        <Actions endpoint={endpoint} />
      </div>
      <Deliveries endpoint={endpoint} />
    </section>
  );
}

const Since = ({ words, at }: { words: string; at: string | null }) =>
  at && (
    <span>
      {words} <Instant at={at} />
    </span>
  );

const LOOKS = {
  disabled: { label: "Disabled", tone: "cancelled", icon: Ban },
  failing: { label: "Failing", tone: "overdue", icon: TriangleAlert },
  unused: { label: "Never used", tone: "pending", icon: Clock },
  active: { label: "Active", tone: "finalized", icon: CircleCheck },
} as const;

function Actions({ endpoint: webhook }: EndpointProps) {
  const { key, openDialog } = useContract();
  const { id: webhookId, disabledAt } = webhook;
  const { webhooks } = useTRPC().console;
  const changed = useWebhookChange();
  const test = useMutation(webhooks.test.mutationOptions(changed("Test event queued")));
  const enable = useMutation(webhooks.enable.mutationOptions(changed("Webhook enabled")));
  if (useStaff().role === "viewer") return null;
  const own = { ...key, webhookId };
  return (
    <div className="flex flex-wrap gap-2">
      {disabledAt ? (
        <Button size="small" disabled={enable.isPending} onClick={() => enable.mutate(own)}>
          Enable
        </Button>
      ) : (
        <Button size="small" disabled={test.isPending} onClick={() => test.mutate(own)}>
          Send test event
        </Button>
      )}
      <Button size="small" onClick={() => openDialog({ kind: "rotate-webhook", webhook })}>
        Rotate secret…
      </Button>
      {!disabledAt && (
        <Button size="small" onClick={() => openDialog({ kind: "end-webhook", how: "disable", webhook })}>
          Disable…
        </Button>
      )}
      <Button size="small" onClick={() => openDialog({ kind: "end-webhook", how: "delete", webhook })}>
        Delete…
      </Button>
    </div>
  );
}

const DELIVERIES_REFETCH_MS = 5_000;

function Deliveries({ endpoint }: EndpointProps) {
  const { contractAddress } = useContract().key;
  const { webhooks } = useTRPC().console;
  const query = useInfiniteQuery({
    ...usePages(webhooks.deliveries, { contractAddress, webhookId: endpoint.id }),
    refetchInterval: DELIVERIES_REFETCH_MS,
  });
  const changed = useWebhookChange()("Replay queued");
  const replay = useMutation(webhooks.replay.mutationOptions(changed));
  const mayReplay = useStaff().role !== "viewer" && !endpoint.disabledAt;
  const replayColumn: DataColumn<ListedDelivery> = {
    name: "Replay",
    heading: <span className="sr-only">Replay</span>,
    right: true,
    render: ({ id, event, batchId, state }) =>
      state !== "sending" && (
        <Button
          size="small"
          disabled={replay.isPending}
          aria-label={`Replay ${event}${batchId ? ` for ${batchId}` : ""}`}
          onClick={() => replay.mutate({ contractAddress, deliveryId: id })}
        >
          Replay
        </Button>
      ),
  };
  return (
    <PagedTable
      label={`Deliveries to ${endpoint.url}`}
      // The button is next to the state, so that a narrow window shows it.
      columns={[...FIRST_COLUMNS, ...(mayReplay ? [replayColumn] : []), ...LAST_COLUMNS]}
      rows={query.data?.pages.flatMap((page) => page.deliveries) ?? []}
      keyOf={({ id }) => id}
      className="rounded-control border border-line"
      query={query}
      one="delivery"
      many="deliveries"
      empty="No deliveries yet. Deliveries are listed for 30 days."
    />
  );
}

const STATES = {
  delivered: { label: "Delivered", tone: "finalized", icon: CircleCheck },
  sending: { label: "Sending", tone: "finalizing", icon: LoaderCircle },
  waiting: { label: "Pending", tone: "pending", icon: Clock },
  retrying: { label: "Retrying", tone: "overdue", icon: Clock },
  failed: { label: "Failed", tone: "danger", icon: OctagonX },
} as const;

const FIRST_COLUMNS: readonly DataColumn<ListedDelivery>[] = [
  { name: "Event", render: ({ event }) => <span className="font-medium">{event}</span> },
  { name: "Batch", render: ({ batchId }) => batchId && <DeliveredBatch id={batchId} /> },
  {
    name: "Status",
    render: ({ state, attempts }) => (
      <Badge
        {...STATES[state === "waiting" && attempts > 0 ? "retrying" : state]}
        spin={state === "sending"}
      />
    ),
  },
];

const LAST_COLUMNS: readonly DataColumn<ListedDelivery>[] = [
  { name: "Time", render: ({ eventAt }) => <When at={eventAt} /> },
  { name: "Response", render: (delivery) => <Reply {...delivery} /> },
  { name: "Attempts", right: true, render: ({ attempts }) => attempts },
  { name: "Next attempt", render: ({ nextAttemptAt }) => <When at={nextAttemptAt} never="None" /> },
];

const DeliveredBatch = ({ id }: { id: string }) => (
  <BatchLink contractAddress={useContract().key.contractAddress} id={id} className="max-w-40" />
);

function Reply({ lastStatusCode, lastFailure, lastDurationMs }: ListedDelivery) {
  if (lastStatusCode === null && lastFailure === null) return <span className="text-muted">None yet</span>;
  return (
    <span className="max-md:text-right">
      {lastStatusCode ?? lastFailure}
      {lastDurationMs !== null && (
        <span className="whitespace-nowrap text-muted tabular-nums"> in {lastDurationMs} ms</span>
      )}
    </span>
  );
}

const REFETCH_MS = 10_000;

export function WebhooksView() {
  const { key, openDialog } = useContract();
  const mayChange = useStaff().role !== "viewer";
  const query = useQuery(useTRPC().console.webhooks.list.queryOptions(key, { refetchInterval: REFETCH_MS }));
  const how = mayChange ? "Add one" : "Ask an operator to add one, or add one through the API,";
  return (
    <Section
      title="Webhooks"
      actions={
        mayChange && (
          <Button size="small" icon={Plus} onClick={() => openDialog({ kind: "add-webhook" })}>
            Add webhook
          </Button>
        )
      }
    >
      {query.isRefetchError && <StaleBanner />}
      <Loaded query={query}>
        {(endpoints) => (
          <>
            {endpoints.length === 0 && (
              <EmptyNote>
                No webhooks yet. {how} to receive signed events when the contract’s batches change.
              </EmptyNote>
            )}
            {endpoints.map((endpoint) => (
              <EndpointCard key={endpoint.id} endpoint={endpoint} />
            ))}
          </>
        )}
      </Loaded>
    </Section>
  );
}
