"use client";

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUpDown, Download } from "lucide-react";
import dynamic from "next/dynamic";
import { type ComponentType, useEffect, useMemo, useState } from "react";
import { metadataPath } from "@/app/(console)/batches/list-params";
import { isOpen, recipientsOf, TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { Countdown, StatusBadge, TAKEN_BACK, UnusualMark } from "@/app/(console)/batches/status-badge";
import { batchPath, contractPath, correctPath, receiptsPath, recipientPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { Amount, AmountHeading, formatCount, fractionDigits } from "@/app/ui/amount";
import { Button, ButtonLink, DownloadLink, TextLink } from "@/app/ui/button";
import { CopyButton } from "@/app/ui/copy-button";
import { type DataColumn, DataTable } from "@/app/ui/data-table";
import { SearchInput } from "@/app/ui/fields";
import { findLookalikes, HashText } from "@/app/ui/hash-text";
import { later } from "@/app/ui/later";
import { ROW_PX } from "@/app/ui/scroll-region";
import { Fact, FactList, keepsFocus, Section } from "@/app/ui/section";
import { Loaded, PageSkeleton, QueryError, Skeleton, StaleBanner } from "@/app/ui/states";
import { notify } from "@/app/ui/toast";
import { useRowWindow } from "@/app/ui/use-row-window";
import type { ConsoleTransfer, ReversalOf } from "@/server/batches/list/console-schema";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";
import type { BatchKey } from "@/terms/batch-schema";
import { sortedMetadata } from "@/terms/batch-terms";
import { formatPoints, parsePoints, sumPoints } from "@/terms/points";
import type { Decision } from "./decision-dialog";
import { isLeft, PayoutNote } from "./payout-note";
import { Timeline } from "./timeline";

interface TransfersProps {
  batch: ConsoleBatchDetail;
  query: UseQueryResult<ConsoleTransfer[], unknown>;
}

function Transfers({ batch, query }: TransfersProps) {
  const [search, setSearch] = useState("");
  const [isSorted, setSorted] = useState(false);
  const wanted = search.trim().toLowerCase();
  const hasReferences = query.data?.some(({ reference }) => reference) ?? false;
  const searched = hasReferences ? "address, label or reference" : "address or label";
  const shown = useMemo(() => {
    const found = (query.data ?? []).filter(({ toAddress, label, reference }) =>
      `${toAddress} ${label ?? ""} ${reference ?? ""}`.toLowerCase().includes(wanted),
    );
    return isSorted ? found.toSorted(largestFirst) : found;
  }, [query.data, wanted, isSorted]);
  const count = formatCount(batch.transferCount);
  return (
    <Section
      title="Transfers"
      note={wanted && query.data ? `${formatCount(shown.length)} of ${count}` : count}
      actions={
        <>
          <SearchInput
            aria-label={`Search transfers by ${searched}`}
            placeholder={searched.replace("a", "A")}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className={hasReferences ? "w-60" : "w-48"}
            isSmall
          />
          {batch.status === "FINALIZED" && !batch.reverses && (
            <DownloadLink size="small" href={receiptsPath(batch)}>
              Receipts
            </DownloadLink>
          )}
          <Button
            size="small"
            icon={Download}
            disabled={!query.data}
            onClick={() =>
              void import("./save-transfers")
                .then(({ saveTransfers }) => saveTransfers(batch, shown))
                .catch(() => notify("error", "The file could not be made. Try again."))
            }
          >
            Export CSV
          </Button>
        </>
      }
    >
      <Loaded query={query} skeleton={<Skeleton className="h-40 w-full" />}>
        {() => (
          <TransferTable
            transfers={shown}
            hasReferences={hasReferences}
            isSorted={isSorted}
            onSort={setSorted}
            batch={batch}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** Ties keep the order of the request. */
function largestFirst(a: ConsoleTransfer, b: ConsoleTransfer): number {
  const difference = parsePoints(b.points) - parsePoints(a.points);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

interface TransferTableProps {
  transfers: ConsoleTransfer[];
  hasReferences: boolean;
  isSorted: boolean;
  onSort: (isSorted: boolean) => void;
  batch: ConsoleBatchDetail;
}

function TransferTable({ transfers, hasReferences, isSorted, onSort, batch }: TransferTableProps) {
  const drawn = useRowWindow(transfers.length, ROW_PX);
  const fraction = useMemo(() => fractionDigits(transfers.map(({ points }) => points)), [transfers]);
  const lookalikes = useMemo(() => findLookalikes(transfers.map(({ toAddress }) => toAddress)), [transfers]);
  const amount = `Amount (${TYPE_LABELS[batch.pointType]})`;
  const columns: DataColumn<ConsoleTransfer>[] = [
    {
      name: "Row",
      right: true,
      render: ({ position }) => <span className="text-muted">{position + 1}</span>,
    },
    {
      name: "Recipient",
      render: ({ toAddress, label }) => (
        <>
          <HashText
            value={toAddress}
            what="address"
            href={recipientPath(toAddress)}
            form="fit"
            lookalike={lookalikes.has(toAddress)}
          />
          {label && <span className="ml-2 text-muted">{label}</span>}
        </>
      ),
    },
    {
      name: amount,
      heading: (
        <button
          type="button"
          onClick={() => onSort(!isSorted)}
          className="inline-flex items-center gap-1 rounded-badge hover:text-text"
        >
          <AmountHeading name={amount} fraction={fraction} />
          {isSorted ? <ArrowDown size={12} /> : <ArrowUpDown size={12} />}
        </button>
      ),
      sorted: isSorted ? "descending" : undefined,
      right: true,
      render: ({ points }) => <Amount value={points} fraction={fraction} minus={Boolean(batch.reverses)} />,
    },
  ];
  if (transfers.some(({ takenBackBy }) => takenBackBy))
    columns.push({ name: "Taken back", render: (transfer) => <TakenBack {...{ transfer, batch }} /> });
  if (hasReferences)
    columns.push({
      name: "Reference",
      render: ({ reference }) =>
        reference && (
          <HashText
            value={reference}
            what="reference"
            form="whole"
            className="w-max max-w-[36ch] whitespace-pre-wrap"
          />
        ),
    });
  return (
    <DataTable
      label="Batch transfers"
      columns={columns}
      rows={transfers}
      keyOf={({ position }) => String(position)}
      drawn={drawn}
      className="card max-h-117 overflow-y-auto [&_:is(td,th):first-child]:w-px"
      empty="No matching transfers"
    />
  );
}

function TakenBack({ transfer, batch }: { transfer: ConsoleTransfer; batch: ConsoleBatchDetail }) {
  const reversal = batch.reversals.find(({ id }) => id === transfer.takenBackBy);
  if (!reversal) return null;
  return <TextLink href={batchPath({ ...batch, id: reversal.id })}>{TAKEN_BACK[reversal.status]}</TextLink>;
}

/** Only of batches that are pending or were unusual. With `loading`, the rest does not wait for it. */
const Review = dynamic(() => import("./review").then((module) => module.Review), { loading: () => null });
/** Few batches have any. Rendered on the server too, so that the page does not move. */
const RelatedBatches = dynamic(() => import("./notes").then((notes) => notes.RelatedBatches), {
  loading: () => null,
});
const noteOf = <Props,>(pick: (notes: typeof import("./notes")) => ComponentType<Props>) =>
  dynamic(() => import("./notes").then(pick), { loading: () => null });
const StopNote = noteOf((notes) => notes.StopNote);
const ApprovalNote = noteOf((notes) => notes.ApprovalNote);
const TakenBackBadge = noteOf((notes) => notes.TakenBackBadge);
const TakenBackShare = noteOf((notes) => notes.TakenBackShare);
const TakeBacks = noteOf((notes) => notes.TakeBacks);

const OPEN_EVERY_MS = 2_000;

/** On the batch page and in the panel next to the list. Polls while the batch can still change. */
export function BatchView({ headingLevel = "h1", ...key }: BatchKey & { headingLevel?: "h1" | "h2" }) {
  const trpc = useTRPC();
  const batch = useQuery(
    trpc.console.batches.get.queryOptions(key, {
      refetchInterval: ({ state: { data } }) =>
        !data || isOpen(data) || data.reversals.some(isOpen) ? OPEN_EVERY_MS : false,
      staleTime: 0,
    }),
  );
  const stored = batch.data;
  const transfers = useQuery(
    trpc.console.batches.transfers.queryOptions(key, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const reversals = stored?.reversals.map(({ id, status }) => `${id} ${status}`).join() ?? "";
  // They change only by what is taken back.
  useEffect(() => {
    if (reversals) void transfers.refetch({ cancelRefetch: false });
  }, [reversals, transfers.refetch]);
  if (batch.isPending) return <PageSkeleton />;
  if (!stored) return <QueryError query={batch} />;
  return (
    <div ref={keepsFocus} tabIndex={-1} className="@container flex flex-col gap-6 p-4 outline-none md:p-6">
      {batch.isRefetchError && <StaleBanner />}
      <BatchHead batch={stored} Heading={headingLevel} />
      {(stored.reverses || stored.corrects || stored.correctedBy[0]) && <RelatedBatches batch={stored} />}
      {stored.payout && <PayoutNote contractAddress={stored.contractAddress} payout={stored.payout} />}
      {!stored.reverses && (stored.status === "PENDING" || stored.review) && <Review batch={stored} />}
      <BatchSummary batch={stored} />
      <Timeline batch={stored}>{stored.reversals[0] && <TakeBacks batch={stored} />}</Timeline>
      <Transfers batch={stored} query={transfers} />
    </div>
  );
}

function takenBackOf({ points: finalized, reversals }: ConsoleBatchDetail) {
  const sumOf = (of: readonly ReversalOf[]) => formatPoints(sumPoints(of.map(({ points }) => points)));
  const takenBack = sumOf(reversals.filter(({ status }) => status === "FINALIZED"));
  return { finalized, takenBack, takingBack: sumOf(reversals.filter(isOpen)) };
}

const DecisionDialog = later(() => import("./decision-dialog"));
const TakeBackDialog = later(() => import("./take-back-dialog"));

function BatchHead({ batch, Heading }: { batch: ConsoleBatchDetail; Heading: "h1" | "h2" }) {
  const { role } = useStaff();
  const [asked, ask] = useState<Decision | "take-back" | null>(null);
  const close = () => ask(null);
  const isViewer = role === "viewer";
  const mayDecide = batch.status === "PENDING" && !isViewer;
  const back = takenBackOf(batch);
  const words = batch.reverses
    ? `${TAKEN_BACK[batch.status].toLowerCase()} from ${recipientsOf(batch.transferCount)} for`
    : `in ${transfersOf(batch.transferCount)} from`;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <StatusBadge batch={batch} />
        <UnusualMark flag={batch.flag} />
        {batch.reversals[0] && <TakenBackBadge amounts={[back]} />}
        {isOpen(batch) && !batch.heldAt && (
          <span className="text-muted text-table">
            <Countdown batch={batch} lead="due " />
          </span>
        )}
        {/* The search offers these too. */}
        <span data-actions className="ml-auto flex flex-wrap justify-end gap-2">
          {mayDecide && (
            <>
              {!batch.heldApart && (
                <Button onClick={() => ask(batch.heldAt && !batch.heldForPayout ? "release" : "hold")}>
                  {batch.heldForPayout ? "Keep on hold…" : batch.heldAt ? "Release…" : "Put on hold…"}
                </Button>
              )}
              <Button onClick={() => ask("cancel")}>Cancel batch…</Button>
            </>
          )}
          {batch.status === "FINALIZED" && !batch.reverses && !isViewer && isLeft(back) && (
            <Button onClick={() => ask("take-back")}>Take back…</Button>
          )}
          {batch.status === "CANCELLED" && !batch.reverses && !isViewer && (
            <ButtonLink href={correctPath(batch)}>Correct and resend</ButtonLink>
          )}
        </span>
      </div>
      <div>
        <Heading className="flex items-center gap-1 break-all font-medium mono text-muted">
          <span className="sr-only">Batch </span>
          {batch.id}
          <CopyButton value={batch.id} what="batch ID" />
        </Heading>
        <p className="flex flex-wrap items-baseline gap-x-2 font-semibold text-figure">
          <Amount value={batch.points} wraps />
          <span className="font-normal text-body text-muted">
            {TYPE_LABELS[batch.pointType]} {words}{" "}
            <TextLink href={contractPath(batch.contractAddress)}>{batch.contractLabel}</TextLink>
            {batch.reversals[0] && <TakenBackShare of={batch.points} back={back} />}
          </span>
        </p>
      </div>
      {(batch.heldAt || batch.status === "CANCELLED") && <StopNote batch={batch} />}
      {batch.approval && <ApprovalNote batch={batch} ask={ask} />}
      {asked === "take-back" ? (
        <TakeBackDialog batch={batch} close={close} />
      ) : (
        asked && <DecisionDialog key={asked} decision={asked} batch={batch} close={close} />
      )}
    </div>
  );
}

function BatchSummary({ batch }: { batch: ConsoleBatchDetail }) {
  return (
    <Section title="Summary">
      <FactList className="@4xl:grid-cols-2">
        <Fact name="Due" at={batch.finalizeAt} />
        {batch.metadata && (
          <Fact name="Metadata" className="@4xl:col-span-2">
            <ul className="wrap-anywhere">
              {sortedMetadata(batch.metadata).map(([key, value]) => (
                <li key={key}>
                  <span className="text-muted">{key}:</span>{" "}
                  <TextLink href={metadataPath(key, value)}>{value}</TextLink>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name="Digest">
          <CopyButton value={batch.digest} what="digest" />
        </Fact>
      </FactList>
    </Section>
  );
}
