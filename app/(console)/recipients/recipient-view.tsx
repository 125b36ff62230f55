"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { FileText, Inbox } from "lucide-react";
import Link from "next/link";
import type { ConsoleRecipient, ReceivedTransfer } from "@/server/recipients/console-schema";
import { problemOf } from "../../data/problem";
import { useTRPC, useTRPCClient } from "../../data/trpc";
import { Banner } from "../../ui/banner";
import { buttonLook } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { ErrorState } from "../../ui/error-state";
import { HashText } from "../../ui/hash-text";
import { Instant } from "../../ui/instant";
import { Section } from "../batches/batch/section";
import { MoreRows } from "../contracts/more-rows";
import { contractPath } from "../contracts/paths";
import { DownloadReceived } from "./download-received";
import { ReceivedTable } from "./received-table";
import { RecipientSkeleton } from "./recipient-skeleton";
import { Totals } from "./totals";

const EVERY_MS = 10_000;

export function RecipientView({ address }: { address: string }) {
  const trpc = useTRPC();
  const recipient = useQuery(
    trpc.console.recipients.get.queryOptions({ address }, { refetchInterval: EVERY_MS }),
  );
  const received = useReceived(address);
  if (recipient.isPending) return <RecipientSkeleton />;
  if (!recipient.data)
    return <ErrorState {...problemOf(recipient.error)} onRetry={() => void recipient.refetch()} />;
  const { transferCount, indexedUntil } = recipient.data;
  const incompleteSince = indexedUntil ?? received.indexedUntil;
  return (
    <div className="@container flex flex-col gap-6 p-4 md:p-6">
      {(recipient.isRefetchError || received.query.isRefetchError) && (
        <Banner>This page may be out of date: the last update failed. Retrying automatically.</Banner>
      )}
      {incompleteSince && (
        <Banner>
          Batches created after <Instant at={incompleteSince} /> are not listed yet, so running balances and
          the CSV download are unavailable. The totals include them.
        </Banner>
      )}
      <Head recipient={recipient.data} latest={received.transfers[0]} />
      {transferCount === 0 && !incompleteSince ? (
        <NeverPaid />
      ) : (
        <>
          <Totals points={recipient.data.points} asOf={recipient.data.now} />
          <Section
            title="Transfers"
            note={`${countText(recipient.data)} · newest first · balances count finalized transfers only`}
            actions={
              <>
                <Link
                  href={`/batches?recipient=${recipient.data.address}`}
                  className={buttonLook({ size: "small" })}
                >
                  View batches
                </Link>
                <DownloadReceived address={recipient.data.address} incomplete={incompleteSince !== null} />
              </>
            }
          >
            {received.query.isError && !received.query.data && (
              <ErrorState
                {...problemOf(received.query.error)}
                onRetry={() => void received.query.refetch()}
              />
            )}
            {received.transfers.length > 0 && (
              <>
                <ReceivedTable transfers={received.transfers} asOf={received.asOf} />
                <MoreRows
                  query={received.query}
                  count={received.transfers.length}
                  one="transfer"
                  many="transfers"
                />
              </>
            )}
          </Section>
        </>
      )}
    </div>
  );
}

function useReceived(address: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const query = useInfiniteQuery({
    queryKey: trpc.console.recipients.received.infiniteQueryKey({ address }),
    queryFn: ({ pageParam, signal }) =>
      client.console.recipients.received.query({ address, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : EVERY_MS),
  });
  const pages = query.data?.pages ?? [];
  return {
    query,
    transfers: pages.flatMap((page) => page.transfers),
    indexedUntil: pages.find((page) => page.indexedUntil)?.indexedUntil ?? null,
    asOf: pages[0]?.now ?? "1970-01-01T00:00:00Z",
  };
}

function countText({ transferCount, countMax }: ConsoleRecipient): string {
  const shown = Math.min(transferCount, countMax).toLocaleString("en-US");
  return transferCount > countMax ? `${shown}+` : shown;
}

/** Empty for a finalized batch, which is the normal case. */
function latestStatus(latest: ReceivedTransfer | undefined): string {
  if (!latest || latest.status === "FINALIZED") return "";
  if (latest.status === "CANCELLED") return " (cancelled)";
  if (latest.status === "FINALIZING") return " (finalizing)";
  return latest.heldAt ? " (on hold)" : " (pending)";
}

interface HeadProps {
  recipient: ConsoleRecipient;
  /** The newest transfer; undefined until it is loaded. */
  latest: ReceivedTransfer | undefined;
}

function Head({ recipient, latest }: HeadProps) {
  const { address, contractLabel, firstAt, latestAt } = recipient;
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0">
        <p className="text-label text-muted">Recipient</p>
        <h1>
          <HashText value={address} what="address" form="whole" className="font-medium text-body!" />
        </h1>
        {firstAt && latestAt && (
          <p className="mt-1 text-label text-muted">
            First batch <Instant at={firstAt} className="tabular-nums" />, latest batch{" "}
            <Instant at={latestAt} className="tabular-nums" />
            {latestStatus(latest)}
          </p>
        )}
      </div>
      {contractLabel !== null && (
        <Link href={contractPath(address)} prefetch={false} className={`${buttonLook()} ml-auto`}>
          <FileText aria-hidden size={14} className="text-muted" />
          Contract {contractLabel}
        </Link>
      )}
    </div>
  );
}

function NeverPaid() {
  return (
    <EmptyState icon={Inbox} title="No transfers to this address">
      <p className="text-muted">
        No contract has submitted a batch that pays this address. Compare the full address with the one you
        were given. The first transfer appears here as soon as its batch is submitted.
      </p>
      <Link href="/recipients" className={buttonLook()}>
        Look up another address
      </Link>
    </EmptyState>
  );
}
