"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import WebhooksSkeleton from "@/app/(console)/contracts/[contractAddress]/webhooks/loading";
import { contractPath } from "@/app/(console)/contracts/paths";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { StaleBanner } from "@/app/ui/banner";
import { Button } from "@/app/ui/button";
import { ButtonLink } from "@/app/ui/button-link";
import { EmptyNote } from "@/app/ui/empty-state";
import { HashText } from "@/app/ui/hash-text";
import { QueryError } from "@/app/ui/loaded";
import type { ConsoleContractDetail } from "@/server/contracts/schema";
import { Deliveries, EndpointCard } from "./endpoint-card";
import type { WebhookDialog } from "./webhook-dialogs";

const WebhookDialogs = dynamic(() => import("./webhook-dialogs").then((module) => module.WebhookDialogs), {
  ssr: false,
});

const REFETCH_MS = 10_000;

interface WebhooksViewProps {
  contract: Pick<ConsoleContractDetail, "address" | "label">;
}

export function WebhooksView({ contract: { address: contractAddress, label } }: WebhooksViewProps) {
  const trpc = useTRPC();
  const { role } = useStaff();
  const mayChange = role !== "viewer";
  const query = useQuery(
    trpc.console.webhooks.list.queryOptions({ contractAddress }, { refetchInterval: REFETCH_MS }),
  );
  const [dialog, openDialog] = useState<WebhookDialog>();
  if (query.isPending) return <WebhooksSkeleton />;
  if (!query.data) return <QueryError query={query} />;
  return (
    <div className="flex flex-col gap-6 p-4 md:p-6">
      {query.isRefetchError && <StaleBanner />}
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h1 className="font-semibold text-title">Webhooks</h1>
          <p className="wrap-anywhere text-table">{label}</p>
          <HashText value={contractAddress} what="contract address" form="narrow" className="text-muted" />
        </div>
        <div className="ml-auto flex flex-wrap gap-2">
          <ButtonLink href={contractPath(contractAddress)}>View contract</ButtonLink>
          {mayChange && (
            <Button variant="primary" icon={Plus} onClick={() => openDialog({ kind: "add" })}>
              Add webhook
            </Button>
          )}
        </div>
      </div>
      {query.data.length === 0 && (
        <EmptyNote>
          No webhooks yet. {mayChange ? "Add one" : "Ask an operator to add one, or add one through the API,"}{" "}
          to receive signed events when the contract’s batches change.
        </EmptyNote>
      )}
      {query.data.map((endpoint) => (
        <EndpointCard
          key={endpoint.id}
          endpoint={endpoint}
          contractAddress={contractAddress}
          openDialog={openDialog}
          log={<Deliveries contractAddress={contractAddress} endpoint={endpoint} />}
        />
      ))}
      {dialog && (
        <WebhookDialogs
          dialog={dialog}
          contractAddress={contractAddress}
          close={() => openDialog(undefined)}
        />
      )}
    </div>
  );
}
