"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { FileText, Inbox, Tag } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { BatchLink } from "@/app/(console)/batch-link";
import {
  ContractChip,
  FilterRow,
  StatusChip,
  TimeChip,
  TypeChip,
} from "@/app/(console)/batches/filters/filter-chip";
import InvalidFiltersNote from "@/app/(console)/batches/invalid-filters-note";
import { hasFilters } from "@/app/(console)/batches/list-params";
import { personName, TYPE_LABELS } from "@/app/(console)/batches/status";
import { StatusBadge, TAKEN_BACK } from "@/app/(console)/batches/status-badge";
import { contractPath, recipientPath, walletPath } from "@/app/(console)/paths";
import {
  loadRecipientParams,
  type RecipientParams,
  recipientParams,
  recipientQuery,
  toReceivedFilters,
} from "@/app/(console)/recipients/recipient-params";
import { WalletSummary } from "@/app/(console)/recipients/wallet-summary";
import { useStaff } from "@/app/(console)/staff";
import { invalidNames } from "@/app/data/invalid-names";
import { problemOf } from "@/app/data/problem";
import { usePages, useTRPC } from "@/app/data/trpc";
import { Amount, AmountHeading, counted, formatCount, fractionDigits } from "@/app/ui/amount";
import { Button, ButtonLink, DownloadLink, Link, TextLink } from "@/app/ui/button";
import { amountColumn, type DataColumn, PagedTable } from "@/app/ui/data-table";
import { formatInstant } from "@/app/ui/format-time";
import { HashText } from "@/app/ui/hash-text";
import { later } from "@/app/ui/later";
import { Section } from "@/app/ui/section";
import { Banner, EmptyState, PageSkeleton, QueryError, StaleBanner } from "@/app/ui/states";
import { Instant, useTimeZone, When } from "@/app/ui/time";
import type { ReceivedSums } from "@/server/recipients/list-received";
import type { ConsoleRecipient, ReceivedTransfer } from "@/server/recipients/schema";
import { POINT_TYPES } from "@/terms/batch-terms";
import { COUNT_MAX } from "@/terms/filters";

const REFETCH_MS = 10_000;

export function RecipientView({ address }: { address: string }) {
  const trpc = useTRPC();
  const recipient = useQuery(
    trpc.console.recipients.get.queryOptions({ address }, { refetchInterval: REFETCH_MS }),
  );
  const { params, filtered, invalid } = useRecipientParams();
  const received = useReceived(address, params);
  if (recipient.isPending) return <PageSkeleton />;
  if (!recipient.data) return <QueryError query={recipient} />;
  const { transferCount, indexedUntil } = recipient.data;
  const incompleteSince = indexedUntil ?? received.indexedUntil;
  return (
    <div className="@container mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 md:p-6">
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
          <Summary {...recipient.data} />
          <Section
            title="Transfers"
            note={
              filtered
                ? "pending first, then the latest credit · clear the filters to see balances"
                : noteOf(recipient.data)
            }
            actions={
              <>
                <ButtonLink href={`/batches?recipient=${recipient.data.address}`} size="small">
                  View batches
                </ButtonLink>
                {incompleteSince === null && invalid.length === 0 && (
                  <DownloadLink
                    href={recipientQuery(`${recipientPath(recipient.data.address)}/export`, params)}
                    title="The transfers of this list, oldest first, times in UTC"
                    size="small"
                  >
                    Download CSV
                  </DownloadLink>
                )}
              </>
            }
          >
            <Received address={address} received={received} />
          </Section>
        </>
      )}
    </div>
  );
}

interface ReceivedProps {
  address: string;
  received: ReturnType<typeof useReceived>;
}

function Received({ address, received: { query, transfers, searchedTo } }: ReceivedProps) {
  const { params, setParams, filtered, invalid } = useRecipientParams();
  const sums = useQuery(
    useTRPC().console.recipients.sums.queryOptions(toReceivedFilters(address, params), {
      enabled: filtered && invalid.length === 0,
      // Sums of a busy address are slow, and only minimums.
      refetchInterval: ({ state }) => (state.data?.isWhole === false ? false : REFETCH_MS),
    }),
  );
  if (invalid.length > 0) return <InvalidFiltersNote filters={recipientParams} what="transfers" />;
  return (
    <>
      <FilterRow onClear={filtered ? () => void setParams(null) : undefined}>
        <StatusChip chosen={params.status} onChange={(status) => void setParams({ status })} />
        <TypeChip chosen={params.type} onChange={(type) => void setParams({ type })} />
        <ContractChip contract={params.contract} onChange={(contract) => void setParams({ contract })} />
        <TimeChip name="Created" from={params.from} to={params.to} onChange={setParams} />
      </FilterRow>
      {filtered && sums.data && <FilteredSums sums={sums.data} />}
      {/* Dimmed while the rows still belong to the previous filters. */}
      <div aria-busy={query.isPlaceholderData} className="flex flex-col gap-3 aria-busy:opacity-50">
        <PagedTable
          label="Transfers to the address"
          columns={columnsOf(transfers, !filtered)}
          rows={transfers}
          keyOf={({ contractAddress, batchId }) => `${contractAddress}/${batchId}`}
          query={query}
          one="transfer"
          many="transfers"
          empty="No transfers match the filters."
        />
        {query.hasNextPage && searchedTo && (
          <p className="text-center hint">
            Searched back to <Instant at={searchedTo} />
          </p>
        )}
      </div>
    </>
  );
}

function useReceived(address: string, params: RecipientParams) {
  const query = useInfiniteQuery({
    ...usePages(useTRPC().console.recipients.received, toReceivedFilters(address, params)),
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      return pages.length > 1 || pages[0]?.searchedTo ? false : REFETCH_MS;
    },
  });
  const pages = query.data?.pages ?? [];
  return {
    query,
    transfers: pages.flatMap((page) => page.transfers),
    indexedUntil: pages.find((page) => page.indexedUntil)?.indexedUntil ?? null,
    searchedTo: pages.at(-1)?.searchedTo ?? null,
  };
}

const noteOf = ({ transferCount }: ConsoleRecipient): string =>
  transferCount > COUNT_MAX
    ? `more than ${formatCount(COUNT_MAX)}, the newest first · too many to show balances`
    : `${formatCount(transferCount)} · pending first, then the latest credit · balance after each credit`;

function useRecipientParams() {
  const search = useSearchParams();
  const [params, setParams] = useQueryStates(recipientParams, { history: "push", scroll: false });
  return {
    params,
    setParams,
    filtered: hasFilters(params),
    invalid: invalidNames(search, loadRecipientParams(search)),
  };
}

const LabelDialog = later(() => import("./label-dialog"));

function RecipientHead({ recipient }: { recipient: ConsoleRecipient }) {
  const { address, label, contractLabel } = recipient;
  const { role, walletPages } = useStaff();
  const mayLabel = role !== "viewer" && contractLabel === null;
  const [labelling, setLabelling] = useState(false);
  const name = contractLabel ?? label;
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0">
        <h1>
          {name !== null && <span className="wrap-anywhere block font-semibold text-title">{name}</span>}
          <HashText value={address} what="address" form="whole" className="font-medium text-body!" />
        </h1>
        {walletPages && (
          <p className="mt-1 text-label">
            <TextLink href={walletPath(address)}>Public page</TextLink>
          </p>
        )}
      </div>
      {contractLabel !== null && (
        <ButtonLink href={contractPath(address)} icon={FileText} className="ml-auto">
          Contract {contractLabel}
        </ButtonLink>
      )}
      {mayLabel && (
        <Button icon={Tag} className="ml-auto" onClick={() => setLabelling(true)}>
          {label === null ? "Add label…" : "Edit label…"}
        </Button>
      )}
      {labelling && <LabelDialog address={address} label={label} close={() => setLabelling(false)} />}
    </div>
  );
}

function Summary({ address, contractLabel, now, ...shown }: ConsoleRecipient) {
  const at = useSearchParams().get("at");
  const holding = useQuery(
    useTRPC().console.recipients.holding.queryOptions({ address, at: at ?? "" }, { enabled: at !== null }),
  );
  return (
    <WalletSummary
      wallet={{ ...shown, address, isContract: contractLabel !== null, at: now }}
      at={at}
      holding={holding.data}
      problem={holding.error && problemOf(holding.error)}
    />
  );
}

const PARTS = {
  credited: "credited",
  pending: "pending",
  held: "on hold",
  cancelled: "cancelled",
  takenBack: "taken back",
  takingBack: "to be taken back",
} as const;

function FilteredSums({ sums: { points, isWhole } }: { sums: ReceivedSums }) {
  const sums = POINT_TYPES.map((type) => {
    const amounts = Object.entries(PARTS).map(([part, words]) => ({
      amount: points[type][part as keyof typeof PARTS],
      words,
    }));
    return { type, count: points[type].transfers, parts: amounts.filter(({ amount }) => amount !== "0") };
  }).filter(({ count, parts }) => count > 0 || parts.length > 0);
  if (sums.length === 0) return null;
  return (
    <dl
      aria-label="Sums of the filtered transfers"
      className="card flex flex-wrap gap-x-8 gap-y-1 px-4 py-2.5 text-table"
    >
      {sums.map(({ type, count, parts }) => (
        <div key={type} className="flex flex-wrap items-baseline gap-x-2">
          <dt className="font-medium">{TYPE_LABELS[type]}</dt>
          <dd className="text-muted">
            {!isWhole && "at least "}
            {parts.map(({ amount, words }, index) => (
              <span key={words}>
                {index > 0 && ", "}
                <Amount value={amount} wraps className="font-medium text-text" /> {words}
              </span>
            ))}{" "}
            in {counted(count, "transfer", "transfers")}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** @param hasBalances false for a filtered list: balances count all transfers */
function columnsOf(transfers: ReceivedTransfer[], hasBalances: boolean): DataColumn<ReceivedTransfer>[] {
  const fraction = fractionDigits(transfers.map(({ points }) => points));
  return [
    {
      name: "Status",
      render: (transfer) => (
        <span className="flex min-w-0 items-center gap-x-2 max-md:flex-wrap max-md:justify-end">
          <StatusBadge compact batch={transfer} />
          <Note transfer={transfer} />
        </span>
      ),
    },
    {
      name: "Credited",
      render: ({ creditedAt, cancelledAt, finalizeAt }) =>
        creditedAt || cancelledAt ? (
          <When at={creditedAt} never="–" />
        ) : (
          <span className="whitespace-nowrap text-muted">
            due <Instant at={finalizeAt} />
          </span>
        ),
    },
    {
      name: "Amount",
      heading: <AmountHeading name="Amount" fraction={fraction} unit />,
      right: true,
      render: ({ points, pointType, status, reverses }) => (
        <span className="whitespace-nowrap">
          <Amount
            value={points}
            minus={reverses !== null}
            fraction={fraction}
            className={status === "CANCELLED" ? "text-muted" : "font-medium"}
          />{" "}
          <span className="inline-block w-9 text-left hint">{TYPE_LABELS[pointType]}</span>
        </span>
      ),
    },
    // After the transfer, in its point type. What is not finalized did not change it.
    ...(hasBalances
      ? [
          amountColumn("Balance", transfers, ({ running, pointType, status }) =>
            status === "FINALIZED" ? running?.[pointType] : null,
          ),
        ]
      : []),
    {
      name: "Batch",
      render: ({ contractAddress, batchId }) => (
        <BatchLink contractAddress={contractAddress} id={batchId} className="max-w-36 md:@max-5xl:max-w-28" />
      ),
    },
    {
      name: "Contract",
      render: ({ contractAddress, contractLabel }) => (
        <Link
          href={contractPath(contractAddress)}
          title={contractAddress}
          className="block max-w-40 truncate rounded-badge text-muted outline-offset-1 hover:text-accent
            md:@max-5xl:max-w-28"
        >
          {contractLabel}
        </Link>
      ),
    },
  ];
}

/** Why a transfer is not credited yet or never will be, or what takes it back. The tooltip has all of it. */
function Note({ transfer }: { transfer: ReceivedTransfer }) {
  const { zone } = useTimeZone();
  const { contractAddress, reverses, reversedBy, heldAt, heldBy, holdReason } = transfer;
  const { cancelledAt, cancelledBy, cancelReason } = transfer;
  const [at, by, reason] = cancelledAt
    ? [cancelledAt, cancelledBy, cancelReason]
    : [heldAt, heldBy, holdReason];
  const why = at && [reason, by && personName(by)].filter(Boolean).join(" · ");
  const other = reverses ?? reversedBy?.id;
  if (!why && !other) return null;
  return (
    <span className="hint min-w-28 max-md:text-right md:max-w-72">
      {why && (
        <span title={`${why} · ${formatInstant(at, zone)}`} className="wrap-anywhere md:line-clamp-3">
          {why}
        </span>
      )}
      {other && (
        <span className="flex flex-wrap items-center gap-x-1 max-md:justify-end">
          {reversedBy ? `${TAKEN_BACK[reversedBy.status]} by` : "Takes back"}
          <BatchLink contractAddress={contractAddress} id={other} className="max-w-28 text-accent" />
        </span>
      )}
    </span>
  );
}
