"use client";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { CircleCheck, Clock, LoaderCircle, type LucideIcon, OctagonX } from "lucide-react";
import Link from "next/link";
import type { DeliveryState, ListedDelivery } from "@/server/webhooks/deliveries";
import type { WebhookEndpoint } from "@/server/webhooks/endpoints";
import { pagedQuery } from "../../../data/paged-query";
import { useTRPC, useTRPCClient } from "../../../data/trpc";
import { notifyError } from "../../../data/use-change";
import { Badge, type Tone } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { type DataColumn, DataTable } from "../../../ui/data-table";
import { When } from "../../../ui/instant";
import { QueryError } from "../../../ui/loaded";
import { MoreRows } from "../../../ui/more-rows";
import { Skeleton } from "../../../ui/skeleton";
import { batchPath } from "../../batches/paths";
import { useStaff } from "../../staff";
import { useWebhookChange } from "./use-webhook-change";

const REFETCH_MS = 5_000;

interface DeliveriesProps {
  contractAddress: string;
  endpoint: WebhookEndpoint;
}

export function Deliveries({ contractAddress, endpoint }: DeliveriesProps) {
  const { query, deliveries } = useDeliveries(contractAddress, endpoint.id);
  const { webhooks } = useTRPC().console;
  const replay = useMutation(
    webhooks.replay.mutationOptions({
      ...useWebhookChange()("Replay queued"),
      onError: notifyError,
    }),
  );
  const mayReplay = useStaff().role !== "viewer" && !endpoint.disabledAt;
  if (query.isPending) return <Skeleton className="h-24 w-full" />;
  if (!query.data) return <QueryError query={query} />;
  if (deliveries.length === 0)
    return <p className="text-muted text-table">No deliveries yet. Deliveries are listed for 30 days.</p>;
  const again = (deliveryId: string) => replay.mutate({ contractAddress, deliveryId });
  return (
    <>
      <DataTable
        label={`Deliveries to ${endpoint.url}`}
        columns={[
          ...columnsOf(contractAddress),
          // Next to the state, so that a narrow window shows it.
          ...(mayReplay ? [replayColumn(again, replay.isPending)] : []),
          ...DETAIL_COLUMNS,
        ]}
        rows={deliveries}
        keyOf={({ id }) => id}
        className="rounded-control border border-line"
      />
      <MoreRows query={query} count={deliveries.length} one="delivery" many="deliveries" />
    </>
  );
}

function useDeliveries(contractAddress: string, webhookId: string) {
  const keys = useTRPC().console.webhooks.deliveries;
  const client = useTRPCClient().console.webhooks.deliveries;
  const input = { contractAddress, webhookId };
  const query = useInfiniteQuery({
    ...pagedQuery(keys.infiniteQueryKey(input), (cursor, options) =>
      client.query({ ...input, cursor }, options),
    ),
    refetchInterval: REFETCH_MS,
  });
  return { query, deliveries: query.data?.pages.flatMap((page) => page.deliveries) ?? [] };
}

const STATES: Record<DeliveryState, { label: string; tone: Tone; icon: LucideIcon }> = {
  delivered: { label: "Delivered", tone: "finalized", icon: CircleCheck },
  sending: { label: "Sending", tone: "finalizing", icon: LoaderCircle },
  waiting: { label: "Pending", tone: "pending", icon: Clock },
  failed: { label: "Failed", tone: "danger", icon: OctagonX },
};

const columnsOf = (contractAddress: string): DataColumn<ListedDelivery>[] => [
  { name: "Event", render: ({ event }) => <span className="font-medium">{event}</span> },
  {
    name: "Batch",
    render: ({ batchId }) =>
      batchId ? (
        <Link
          href={batchPath({ contractAddress, id: batchId })}
          prefetch={false}
          className="block max-w-40 truncate rounded-badge font-mono text-mono outline-offset-1 hover:text-accent"
        >
          {batchId}
        </Link>
      ) : (
        <span className="text-muted">None</span>
      ),
  },
  {
    name: "Status",
    render: ({ state, attempts }) => {
      const { label, tone, icon } = STATES[state];
      const isRetry = state === "waiting" && attempts > 0;
      return (
        <Badge tone={isRetry ? "overdue" : tone} icon={icon} spin={state === "sending"}>
          {isRetry ? "Retrying" : label}
        </Badge>
      );
    },
  },
];

const DETAIL_COLUMNS: DataColumn<ListedDelivery>[] = [
  { name: "Time", render: ({ eventAt }) => <When at={eventAt} /> },
  { name: "Response", render: (delivery) => <Reply {...delivery} /> },
  {
    name: "Attempts",
    right: true,
    render: ({ attempts }) => <span className="tabular-nums">{attempts}</span>,
  },
  {
    name: "Next attempt",
    render: ({ nextAttemptAt }) => <When at={nextAttemptAt} never="None" />,
  },
];

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

const replayColumn = (again: (deliveryId: string) => void, busy: boolean): DataColumn<ListedDelivery> => ({
  name: "Replay",
  heading: <span className="sr-only">Replay</span>,
  right: true,
  render: ({ id, event, batchId, state }) =>
    state !== "sending" && (
      <Button
        size="small"
        disabled={busy}
        aria-label={`Replay ${event}${batchId ? ` for ${batchId}` : ""}`}
        onClick={() => again(id)}
      >
        Replay
      </Button>
    ),
});
