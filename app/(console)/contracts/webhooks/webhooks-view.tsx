"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Banner } from "../../../ui/banner";
import { Button, buttonLook } from "../../../ui/button";
import { ErrorState } from "../../../ui/error-state";
import { HashText } from "../../../ui/hash-text";
import { useStaff } from "../../staff";
import { contractPath } from "../paths";
import { Deliveries } from "./deliveries";
import { EndpointCard } from "./endpoint-card";
import type { Question } from "./webhook-dialogs";
import { WebhooksSkeleton } from "./webhooks-skeleton";

const WebhookDialogs = dynamic(() => import("./webhook-dialogs").then((module) => module.WebhookDialogs), {
  ssr: false,
});

const EVERY_MS = 10_000;

export function WebhooksView({ contractAddress }: { contractAddress: string }) {
  const trpc = useTRPC();
  const { role } = useStaff();
  const mayChange = role !== "viewer";
  const query = useQuery(
    trpc.console.webhooks.list.queryOptions({ contractAddress }, { refetchInterval: EVERY_MS }),
  );
  const [question, setQuestion] = useState<Question>();
  if (query.isPending) return <WebhooksSkeleton />;
  if (!query.data) return <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()} />;
  return (
    <div className="flex flex-col gap-6 p-4 md:p-6">
      {query.isRefetchError && (
        <Banner>This page may be out of date: the last update failed. Retrying automatically.</Banner>
      )}
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h1 className="font-semibold text-title">Webhooks</h1>
          <HashText value={contractAddress} what="contract address" form="narrow" className="text-muted" />
        </div>
        <div className="ml-auto flex flex-wrap gap-2">
          <Link href={contractPath(contractAddress)} prefetch={false} className={buttonLook()}>
            View contract
          </Link>
          {mayChange && (
            <Button variant="primary" onClick={() => setQuestion({ kind: "add" })}>
              <Plus aria-hidden size={14} />
              Add webhook
            </Button>
          )}
        </div>
      </div>
      {query.data.length === 0 && (
        <p className="rounded-card border border-line bg-surface p-4 text-muted text-table">
          No webhooks yet. {mayChange ? "Add one" : "Ask an operator to add one, or add one through the API,"}{" "}
          to receive signed events when the contract’s batches change.
        </p>
      )}
      {query.data.map((endpoint) => (
        <EndpointCard
          key={endpoint.id}
          endpoint={endpoint}
          contractAddress={contractAddress}
          ask={setQuestion}
          log={<Deliveries contractAddress={contractAddress} endpoint={endpoint} />}
        />
      ))}
      {question && (
        <WebhookDialogs
          question={question}
          contractAddress={contractAddress}
          close={() => setQuestion(undefined)}
        />
      )}
    </div>
  );
}
