"use client";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useQueryStates } from "nuqs";
import { ContractChip, StatusChip, TimeChip, TypeChip } from "@/app/(console)/batches/filters/filter-chip";
import { InvalidFiltersNote } from "@/app/(console)/batches/invalid-filters-note";
import { recipientPath } from "@/app/(console)/contracts/paths";
import { invalidNames } from "@/app/data/invalid-names";
import { useTRPC, useTRPCClient } from "@/app/data/trpc";
import { formatCount } from "@/app/ui/amount";
import { Button, ButtonLink, DownloadLink } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { MoreRows, pagedQuery } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { Banner, EmptyState, Loaded, PageSkeleton, QueryError, StaleBanner } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import type { ConsoleRecipient, ReceivedFilters as ReceivedFiltersInput } from "@/server/recipients/schema";
import { ReceivedTable } from "./received-table";
import { FilteredSums, RecipientHead, Totals } from "./recipient-head";
import { hasFilters, recipientParams, recipientQuery, toReceivedFilters } from "./recipient-params";

const REFETCH_MS = 10_000;

export function RecipientView({ address }: { address: string }) {
  const trpc = useTRPC();
  const recipient = useQuery(
    trpc.console.recipients.get.queryOptions({ address }, { refetchInterval: REFETCH_MS }),
  );
  const filters = useRecipientParams();
  const received = useReceived(toReceivedFilters(address, filters.params));
  if (recipient.isPending) return <PageSkeleton />;
  if (!recipient.data) return <QueryError query={recipient} />;
  const { transferCount, indexedUntil } = recipient.data;
  const incompleteSince = indexedUntil ?? received.indexedUntil;
  return (
    <div className="@container flex flex-col gap-6 p-4 md:p-6">
      {(recipient.isRefetchError || received.query.isRefetchError) && <StaleBanner />}
      {incompleteSince && (
        <Banner>
          Batches created after <Instant at={incompleteSince} /> are not listed yet, so running balances and
          the CSV download are unavailable. The totals include them.
        </Banner>
      )}
      <RecipientHead recipient={recipient.data} />
      {transferCount === 0 && !incompleteSince ? (
        <EmptyState icon={Inbox} title="No transfers to this address">
          No contract has submitted a batch that pays this address. Compare the full address with the one you
          were given. The first transfer appears here as soon as its batch is submitted.
        </EmptyState>
      ) : (
        <>
          <Totals points={recipient.data.points} isWhole={recipient.data.isWhole} asOf={recipient.data.now} />
          <Section
            title="Transfers"
            note={
              filters.filtered ? "newest first · clear the filters to see balances" : noteOf(recipient.data)
            }
            actions={
              <>
                <ButtonLink href={`/batches?recipient=${recipient.data.address}`} size="small">
                  View batches
                </ButtonLink>
                {incompleteSince === null && filters.invalid.length === 0 && (
                  <DownloadLink
                    href={recipientQuery(`${recipientPath(recipient.data.address)}/export`, filters.params)}
                    title="The transfers of this list, oldest first, times in UTC"
                    size="small"
                  >
                    Download CSV
                  </DownloadLink>
                )}
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

/** The filters, and the list or its empty state. */
function Received({ address, filters, received }: ReceivedProps) {
  const { query, transfers, searchedTo } = received;
  const trpc = useTRPC();
  const sums = useQuery(
    trpc.console.recipients.sums.queryOptions(toReceivedFilters(address, filters.params), {
      enabled: filters.filtered && filters.invalid.length === 0,
      // Sums of a busy address are slow, and only minimums.
      refetchInterval: ({ state }) => (state.data?.isWhole === false ? false : REFETCH_MS),
    }),
  );
  if (filters.invalid.length > 0) {
    return (
      <InvalidFiltersNote
        filters={filters.invalid}
        what="transfers"
        statuses={filters.params.status}
        setParams={filters.setParams}
      />
    );
  }
  return (
    <>
      <ReceivedFilters {...filters} />
      {filters.filtered && sums.data && <FilteredSums sums={sums.data} />}
      <Loaded query={query}>
        {() => (
          // Dimmed while the rows still belong to the previous filters.
          <div
            aria-busy={query.isPlaceholderData}
            className={classNames("flex flex-col gap-3", query.isPlaceholderData && "opacity-50")}
          >
            {(transfers.length > 0 || !query.hasNextPage) && (
              <ReceivedTable transfers={transfers} asOf={received.asOf} balances={!filters.filtered} />
            )}
            {query.hasNextPage && searchedTo && (
              <p className="text-center text-label text-muted">
                Searched back to <Instant at={searchedTo} />
              </p>
            )}
            {(transfers.length > 0 || query.hasNextPage) && (
              <MoreRows query={query} count={transfers.length} one="transfer" many="transfers" />
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}

function useReceived(filters: ReceivedFiltersInput) {
  const { received } = useTRPC().console.recipients;
  const client = useTRPCClient().console.recipients;
  const query = useInfiniteQuery({
    ...pagedQuery(received, client.received.query, filters),
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      return pages.length > 1 || pages[0]?.searchedTo ? false : REFETCH_MS;
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

function noteOf({ transferCount, countMax }: ConsoleRecipient): string {
  const most = formatCount(countMax);
  return transferCount > countMax
    ? `${most}+ · newest first · balances of the newest ${most}, finalized transfers only`
    : `${formatCount(transferCount)} · newest first · balances count finalized transfers only`;
}

function ReceivedFilters({ params, setParams, clearFilters, filtered }: ReceivedProps["filters"]) {
  return (
    <search aria-label="Filters" className="flex gap-1.5 overflow-x-auto py-0.5 md:flex-wrap">
      <StatusChip chosen={params.status} onChange={(status) => void setParams({ status })} />
      <TypeChip
        chosen={params.type && [params.type]}
        onChange={(types) => void setParams({ type: types?.[0] ?? null })}
      />
      <ContractChip contract={params.contract} onChange={(contract) => void setParams({ contract })} />
      <TimeChip name="Created" from={params.from} to={params.to} onChange={setParams} />
      {filtered && (
        <Button variant="ghost" size="small" onClick={clearFilters}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

/** The filters are in the URL, and Back undoes each change. */
function useRecipientParams() {
  const search = useSearchParams();
  const [params, setParams] = useQueryStates(recipientParams, { history: "push", scroll: false });
  return {
    params,
    setParams,
    clearFilters: () => void setParams(null),
    filtered: hasFilters(params),
    /** Invalid filters of the URL, as `name=value`. */
    invalid: invalidNames(search, params).map((name) => `${name}=${search.get(name)}`),
  };
}
