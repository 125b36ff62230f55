"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { BatchSkeleton } from "@/app/(console)/batches/[contractAddress]/[batchId]/loading";
import { isOpen } from "@/app/(console)/batches/status";
import { contractPath } from "@/app/(console)/contracts/paths";
import { usePageActions } from "@/app/(console)/search/page-actions";
import { useStaff } from "@/app/(console)/staff";
import { problemOf } from "@/app/data/problem";
import { useTRPC } from "@/app/data/trpc";
import { Banner } from "@/app/ui/banner";
import { copyAndNotify } from "@/app/ui/copy-button";
import { ErrorState } from "@/app/ui/error-state";
import { Fact, FactList } from "@/app/ui/fact-list";
import { HashText } from "@/app/ui/hash-text";
import { Instant } from "@/app/ui/instant";
import { Section } from "@/app/ui/section";
import { useServerClock } from "@/app/ui/server-clock";
import { useTimeZone } from "@/app/ui/time-zone";
import type { ConsoleBatchDetail, ConsoleTransfer } from "@/server/batches/list/console-schema";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { BatchHead } from "./batch-head";
import { Review } from "./review";
import { Timeline } from "./timeline";
import { Transfers } from "./transfers";

/** Few batches have any. Rendered on the server too, so that the page does not move. */
const UploadNote = dynamic(() => import("./notes").then((module) => module.UploadNote));
const RelatedBatches = dynamic(() => import("./notes").then((module) => module.RelatedBatches));

const OPEN_EVERY_MS = 2_000;

/** Used on the batch page and in the panel next to the list. Polls while the batch or a reversal of it can still change. */
export function BatchView({ headingLevel = "h1", ...key }: BatchKey & { headingLevel?: "h1" | "h2" }) {
  const trpc = useTRPC();
  const batch = useQuery(
    trpc.console.batches.get.queryOptions(key, {
      refetchInterval: ({ state: { data } }) =>
        !data || isOpen(data) || data.reversals.some(isOpen) ? OPEN_EVERY_MS : false,
      staleTime: 0,
    }),
  );
  const transfers = useQuery(
    trpc.console.batches.transfers.queryOptions(key, { staleTime: Number.POSITIVE_INFINITY }),
  );
  useServerClock(batch.data?.now);
  const { publicUrl } = useStaff();
  const [stored, rows] = [batch.data, transfers.data];
  usePageActions(
    stored && rows && !stored.reverses
      ? { "copy-curl": () => void copyAndNotify(curlOf(publicUrl, stored, rows), "command") }
      : {},
  );

  if (batch.isPending) return <BatchSkeleton />;
  if (!batch.data) {
    return <ErrorState {...problemOf(batch.error)} onRetry={() => void batch.refetch()} />;
  }
  return (
    <div className="@container flex flex-col gap-6 p-4 md:p-6">
      {batch.isRefetchError && (
        <Banner>This page may be out of date: the last update failed. Retrying automatically.</Banner>
      )}
      <BatchHead batch={batch.data} headingLevel={headingLevel} />
      {(batch.data.reverses ||
        batch.data.reversals.length > 0 ||
        batch.data.corrects ||
        batch.data.correctedBy.length > 0) && <RelatedBatches batch={batch.data} />}
      {batch.data.upload && <UploadNote upload={batch.data.upload} />}
      {!batch.data.reverses && (batch.data.status === "PENDING" || batch.data.review) && (
        <Review batch={batch.data} />
      )}
      <BatchSummary batch={batch.data} />
      <Timeline batch={batch.data} />
      <Transfers batch={batch.data} query={transfers} />
    </div>
  );
}

/** The request that creates a batch. It is safe to run: PUT is idempotent. Not for a reversal, whose transfers it would pay. */
function curlOf(publicUrl: string, batch: ConsoleBatchDetail, transfers: readonly ConsoleTransfer[]): string {
  const rows = transfers.map(({ toAddress, points }) => `    ${JSON.stringify({ toAddress, points })}`);
  return `curl -X PUT '${publicUrl}/v1/contracts/${batch.contractAddress}/batches/${batch.id}' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  --data-binary '{
  "pointType": "${batch.pointType}",
  "secondsToFinalize": ${batch.waitSeconds},
  "transfers": [
${rows.join(",\n")}
  ]
}'`;
}

export function BatchSummary({ batch }: { batch: ConsoleBatchDetail }) {
  const { zone } = useTimeZone();
  return (
    <Section title="Summary" note={`Times in ${zone}`}>
      <FactList className="@4xl:grid-cols-2">
        <Fact name="Contract">
          <span className="flex min-w-0 flex-col items-end">
            <span>{batch.contractLabel}</span>
            <HashText
              value={batch.contractAddress}
              what="contract address"
              href={contractPath(batch.contractAddress)}
              form="narrow"
              className="text-muted"
            />
          </span>
        </Fact>
        <Fact name="Created">
          <Instant at={batch.createdAt} className="tabular-nums" />
        </Fact>
        <Fact name="Due">
          <Instant at={batch.finalizeAt} className="tabular-nums" />
        </Fact>
        <Fact name="Submitted by">
          <span className="break-all">{batch.submittedBy}</span>
        </Fact>
        <Fact name="Digest" className="@4xl:col-span-2">
          <HashText value={batch.digest} what="digest" form="narrow" />
        </Fact>
      </FactList>
    </Section>
  );
}
