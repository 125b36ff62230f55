"use client";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { CircleCheck, Clock, LoaderCircle, type LucideIcon, OctagonX } from "lucide-react";
import Link from "next/link";
import type { WebhookEndpoint } from "@/server/webhooks/endpoint-rows";
import type { DeliveryState, ListedDelivery } from "@/server/webhooks/list-deliveries";
import { problemOf } from "../../../data/problem";
import { useTRPC, useTRPCClient } from "../../../data/trpc";
import { Badge, type Tone } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { type DataColumn, DataTable } from "../../../ui/data-table";
import { ErrorState } from "../../../ui/error-state";
import { Instant } from "../../../ui/instant";
import { MoreRows } from "../../../ui/more-rows";
import { Skeleton } from "../../../ui/skeleton";
import { notify } from "../../../ui/toast";
import { batchPath } from "../../batches/paths";
import { useStaff } from "../../staff";
import { useWebhookChange } from "./use-webhook-change";

const EVERY_MS = 5_000;

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
      onError: (error) => notify("error", problemOf(error).detail),
    }),
  );
  const mayReplay = useStaff().role !== "viewer" && !endpoint.disabledAt;
  if (query.isPending) return <Skeleton className="h-24 w-full" />;
  if (query.isError && !query.data)
    return <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()} />;
  if (deliveries.length === 0)
    return <p className="text-muted text-table">No deliveries yet. Deliveries are listed for 30 days.</p>;
  const again = (deliveryId: string) => replay.mutate({ contractAddress, deliveryId });
  return (
    <>
      <DataTable
        label={`Deliveries to ${endpoint.url}`}
        columns={[
          ...columnsOf(contractAddress),
          ...(mayReplay ? [replayColumn(again, replay.isPending)] : []),
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
  const trpc = useTRPC();
  const client = useTRPCClient();
  const input = { contractAddress, webhookId };
  const query = useInfiniteQuery({
    queryKey: trpc.console.webhooks.deliveries.infiniteQueryKey(input),
    queryFn: ({ pageParam, signal }) =>
      client.console.webhooks.deliveries.query({ ...input, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    refetchInterval: EVERY_MS,
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
  { id: "event", name: "Event", render: ({ event }) => <span className="font-medium">{event}</span> },
  {
    id: "state",
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
  {
    id: "batch",
    name: "Batch",
    render: ({ batchId }) =>
      batchId ? (
        <Link
          href={batchPath({ contractAddress, id: batchId })}
          prefetch={false}
          className="max-w-56 truncate rounded-badge font-mono text-mono outline-offset-1 hover:text-accent"
        >
          {batchId}
        </Link>
      ) : (
        <span className="text-muted">None</span>
      ),
  },
  { id: "when", name: "Time", render: ({ eventAt }) => <When at={eventAt} /> },
  { id: "reply", name: "Response", render: (delivery) => <Reply {...delivery} /> },
  {
    id: "tries",
    name: "Attempts",
    right: true,
    render: ({ attempts }) => <span className="tabular-nums">{attempts}</span>,
  },
  {
    id: "next",
    name: "Next attempt",
    render: ({ nextAttemptAt }) =>
      nextAttemptAt ? <When at={nextAttemptAt} /> : <span className="text-muted">None</span>,
  },
];

const When = ({ at }: { at: string }) => <Instant at={at} className="whitespace-nowrap tabular-nums" />;

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
  id: "replay",
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
