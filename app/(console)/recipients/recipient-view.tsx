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

/** What an address received and will receive, over all contracts. */
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
  const lacking = indexedUntil ?? received.indexedUntil;
  return (
    <div className="@container flex flex-col gap-6 p-4 md:p-6">
      {(recipient.isRefetchError || received.query.isRefetchError) && (
        <Banner>This may be old: the last update failed. It is tried again by itself.</Banner>
      )}
      {lacking && (
        <Banner>
          Batches created after <Instant at={lacking} /> are not listed here yet; running balances and the
          download wait for them. What was received in total counts them in.
        </Banner>
      )}
      <Head recipient={recipient.data} latest={received.transfers[0]} />
      {transferCount === 0 && !lacking ? (
        <NeverPaid />
      ) : (
        <>
          <Totals points={recipient.data.points} asOf={recipient.data.now} />
          <Section
            title="Transfers"
            note={`${countText(recipient.data)} · newest first · running balances of finalized credits`}
            actions={
              <>
                <Link
                  href={`/batches?recipient=${recipient.data.address}`}
                  className={buttonLook({ size: "small" })}
                >
                  Its batches
                </Link>
                <DownloadReceived address={recipient.data.address} lacking={lacking !== null} />
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

/** What has become of the latest batch, unless it is finalized. */
function latestWords(latest: ReceivedTransfer | undefined): string {
  if (!latest || latest.status === "FINALIZED") return "";
  if (latest.status === "CANCELLED") return ", cancelled,";
  if (latest.status === "FINALIZING") return ", being finalized,";
  return latest.heldAt ? ", on hold," : ", still pending,";
}

interface HeadProps {
  recipient: ConsoleRecipient;
  /** Its newest transfer; undefined until it is read. */
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
            First batch of <Instant at={firstAt} className="tabular-nums" />; latest batch
            {latestWords(latest)} of <Instant at={latestAt} className="tabular-nums" />
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
    <EmptyState icon={Inbox} title="Nobody has paid this address">
      <p className="text-muted">
        No batch of any contract has a transfer to it, waiting, finalized or cancelled. Compare the whole
        address with the one you were given; the first transfer appears here as soon as its batch is
        submitted.
      </p>
      <Link href="/recipients" className={buttonLook()}>
        Another address
      </Link>
    </EmptyState>
  );
}
