"use client";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Inbox, SearchX } from "lucide-react";
import Link from "next/link";
import type {
  ConsoleRecipient,
  ReceivedFilters as ReceivedFiltersInput,
} from "@/server/recipients/console-schema";
import { problemOf } from "../../data/problem";
import { useTRPC, useTRPCClient } from "../../data/trpc";
import { Banner } from "../../ui/banner";
import { Button, buttonLook } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { EmptyState } from "../../ui/empty-state";
import { ErrorState } from "../../ui/error-state";
import { Instant } from "../../ui/instant";
import { MoreRows } from "../../ui/more-rows";
import { Skeleton } from "../../ui/skeleton";
import { Section } from "../batches/batch/section";
import { UnreadFiltersNote } from "../batches/unread-filters";
import { withoutUnread } from "../batches/use-unread-filters";
import { DownloadReceived } from "./download-received";
import { FilteredSums } from "./filtered-sums";
import { ReceivedFilters } from "./received-filters";
import { ReceivedTable } from "./received-table";
import { RecipientHead } from "./recipient-head";
import { toReceivedFilters } from "./recipient-params";
import { RecipientSkeleton } from "./recipient-skeleton";
import { Totals } from "./totals";
import { useRecipientParams } from "./use-recipient-params";

const EVERY_MS = 10_000;

export function RecipientView({ address }: { address: string }) {
  const trpc = useTRPC();
  const recipient = useQuery(
    trpc.console.recipients.get.queryOptions({ address }, { refetchInterval: EVERY_MS }),
  );
  const filters = useRecipientParams();
  const received = useReceived(toReceivedFilters(address, filters.params));
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
      <RecipientHead
        recipient={recipient.data}
        latest={filters.filtered ? undefined : received.transfers[0]}
      />
      {transferCount === 0 && !incompleteSince ? (
        <NeverPaid />
      ) : (
        <>
          <Totals points={recipient.data.points} asOf={recipient.data.now} />
          <Section
            title="Transfers"
            note={
              filters.filtered
                ? "newest first · balances are shown without filters, and in the CSV"
                : `${countText(recipient.data)} · newest first · balances count finalized transfers only`
            }
            actions={
              <>
                <Link
                  href={`/batches?recipient=${recipient.data.address}`}
                  className={buttonLook({ size: "small" })}
                >
                  View batches
                </Link>
                <DownloadReceived
                  address={recipient.data.address}
                  params={filters.params}
                  incomplete={incompleteSince !== null || filters.unread.length > 0}
                />
              </>
            }
          >
            <Received address={address} filters={filters} received={received} />
          </Section>
        </>
      )}
    </div>
  );
}

interface ReceivedProps {
  address: string;
  filters: ReturnType<typeof useRecipientParams>;
  received: ReturnType<typeof useReceived>;
}

/** The filters, and the list or what is in its place. */
function Received({ address, filters, received }: ReceivedProps) {
  const { query, transfers, searchedTo } = received;
  const trpc = useTRPC();
  const sums = useQuery(
    trpc.console.recipients.sums.queryOptions(toReceivedFilters(address, filters.params), {
      enabled: filters.filtered && filters.unread.length === 0,
      // Those of a busy address take a while, and are minimums anyway.
      refetchInterval: ({ state }) => (state.data?.isWhole === false ? false : EVERY_MS),
    }),
  );
  if (filters.unread.length > 0) {
    return (
      <UnreadFiltersNote
        filters={filters.unread}
        what="transfers"
        onRemove={() => void filters.setParams(withoutUnread(filters.unread, filters.params.status))}
      />
    );
  }
  return (
    <>
      <ReceivedFilters {...filters} />
      {filters.filtered && sums.data && <FilteredSums sums={sums.data} />}
      {query.isError && !query.data && (
        <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton className="h-40 w-full" />}
      {query.data && transfers.length === 0 && !query.hasNextPage && (
        <EmptyState icon={SearchX} title="No transfers match the filters">
          <Button onClick={filters.clearFilters}>Clear filters</Button>
        </EmptyState>
      )}
      {/* Dimmed while the rows still belong to the previous filters. */}
      <div
        aria-busy={query.isPlaceholderData}
        className={classNames("flex flex-col gap-3", query.isPlaceholderData && "opacity-50")}
      >
        {transfers.length > 0 && (
          <ReceivedTable transfers={transfers} asOf={received.asOf} balances={!filters.filtered} />
        )}
        {query.hasNextPage && searchedTo && (
          <p className="text-center text-label text-muted">
            Searched back to <Instant at={searchedTo} className="tabular-nums" />
          </p>
        )}
        {(transfers.length > 0 || query.hasNextPage) && (
          <MoreRows query={query} count={transfers.length} one="transfer" many="transfers" />
        )}
      </div>
    </>
  );
}

function useReceived(filters: ReceivedFiltersInput) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const query = useInfiniteQuery({
    queryKey: trpc.console.recipients.received.infiniteQueryKey(filters),
    queryFn: ({ pageParam, signal }) =>
      client.console.recipients.received.query({ ...filters, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      return pages.length > 1 || pages[0]?.searchedTo ? false : EVERY_MS;
    },
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages ?? [];
  return {
    query,
    transfers: pages.flatMap((page) => page.transfers),
    indexedUntil: pages.find((page) => page.indexedUntil)?.indexedUntil ?? null,
    searchedTo: pages.at(-1)?.searchedTo ?? null,
    asOf: pages[0]?.now ?? "1970-01-01T00:00:00Z",
  };
}

function countText({ transferCount, countMax }: ConsoleRecipient): string {
  const shown = Math.min(transferCount, countMax).toLocaleString("en-US");
  return transferCount > countMax ? `${shown}+` : shown;
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
