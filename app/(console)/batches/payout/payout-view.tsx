"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TakenBackBadge } from "@/app/(console)/batches/batch/notes";
import { isLeft, isTakingBack } from "@/app/(console)/batches/batch/payout-note";
import { BulkButtons } from "@/app/(console)/batches/bulk-buttons";
import { batchesOf, IN_DOUBT, transfersOf } from "@/app/(console)/batches/status";
import { continuePath, contractPath, partsPath, payoutExportPath, payoutPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { formatCount } from "@/app/ui/amount";
import { Button, ButtonLink, DownloadLink, TextLink } from "@/app/ui/button";
import { CopyButton } from "@/app/ui/copy-button";
import { later } from "@/app/ui/later";
import { keepsFocus, Section } from "@/app/ui/section";
import { PageSkeleton, QueryError, StaleBanner } from "@/app/ui/states";
import type { BulkAction } from "@/server/batches/bulk/schema";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import type { ConsolePayout } from "@/server/payouts/read-payout";
import type { PayoutKey } from "@/server/payouts/schema";
import { isUnpaid, PartsTable } from "./parts-table";
import { missingOf, PayoutBadge } from "./payout-badge";
import { headlineOf, PayoutSteps } from "./payout-steps";

const EVERY_MS = 4_000;

/** Polls while any of its batches can still change. */
export function PayoutView(key: PayoutKey) {
  const trpc = useTRPC();
  const payout = useQuery(
    trpc.console.payouts.get.queryOptions(key, {
      refetchInterval: ({ state: { data } }) =>
        !data || data.status === "PENDING" || data.amounts.some(isTakingBack) ? EVERY_MS : false,
      staleTime: 0,
    }),
  );
  if (payout.isPending) return <PageSkeleton />;
  if (!payout.data) return <QueryError query={payout} />;
  return (
    <div ref={keepsFocus} tabIndex={-1} className="@container flex flex-col gap-6 p-4 outline-none md:p-6">
      {payout.isRefetchError && <StaleBanner />}
      <Head payout={payout.data} />
      <PayoutSteps payout={payout.data} />
      <NextStep payout={payout.data} />
      <Parts payout={payout.data} />
    </div>
  );
}

function Head({ payout }: { payout: ConsolePayout }) {
  const { publicUrl } = useStaff();
  const { id, name, readAs, approval, amounts, transferCount, contractAddress, contractLabel } = payout;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <PayoutBadge payout={{ ...payout, isWhole: true, isShort: payout.notPaidCount > 0 }} />
        <TakenBackBadge {...payout} />
        {/* The search offers these too. */}
        <span data-actions className="ml-auto flex flex-wrap justify-end gap-2">
          <DownloadLink size="small" href={payoutExportPath(payout)}>
            Download report
          </DownloadLink>
          <Actions payout={payout} />
        </span>
      </div>
      <div>
        <h1 className="flex items-center gap-1 wrap-anywhere font-semibold text-title">
          <span className="sr-only">Payout </span>
          {name}
          <CopyButton value={`${publicUrl}${payoutPath(payout)}`} what="link to this payout" />
        </h1>
        {name !== id && <p className="break-all mono text-muted">{id}</p>}
        {amounts.map((amount) => {
          const [figure, ...words] = headlineOf(payout, amount);
          return (
            <p
              key={amount.pointType}
              className="flex flex-wrap items-baseline gap-x-2 font-semibold text-figure"
            >
              <span className="wrap-anywhere tabular-nums">{figure}</span>
              <span className="font-normal text-body text-muted">{words.join(" · ")}</span>
            </p>
          );
        })}
        <p className="text-muted">
          {transfersOf(transferCount)} {missingOf(payout) > 0 && "submitted "}from{" "}
          <TextLink href={contractPath(contractAddress)}>{contractLabel}</TextLink>
        </p>
        {approval && <p className="text-held">Awaiting approval. {approval.who}</p>}
        {[...new Set(readAs?.split("\n"))].map((line) => (
          <p key={line} className={`wrap-anywhere ${line.startsWith(IN_DOUBT) ? "text-overdue" : "hint"}`}>
            {line}
          </p>
        ))}
      </div>
    </div>
  );
}

function Actions({ payout }: { payout: ConsolePayout }) {
  const { role } = useStaff();
  if (role === "viewer") return null;
  const { contractAddress, id, counts, amounts, waiting, heldApart, approval } = payout;
  const actions: BulkAction[] = [
    ...(counts.pending > counts.onHold - waiting.batches ? (["hold"] as const) : []),
    ...(counts.onHold > waiting.batches + heldApart ? (["release"] as const) : []),
    ...(approval?.mayDecide ? (["approve"] as const) : []),
    ...(counts.pending > 0 ? (["cancel"] as const) : []),
    ...(amounts.some(isLeft) ? (["reverse"] as const) : []),
  ];
  // Several payouts of a contract can have one name.
  const named = payout.name === id ? id : `${payout.name}, ${id},`;
  const whose = `the payout ${named} of ${payout.contractLabel}`;
  return (
    <BulkButtons chosen={{ filters: { contractAddress, payoutId: id } }} whose={whose} actions={actions} />
  );
}

const ReleaseDialog = later(() => import("./release-dialog"));

/** What has to be done before a payout that waits for its release is paid. */
function NextStep({ payout }: { payout: ConsolePayout }) {
  const { role } = useStaff();
  const [isReleasing, setReleasing] = useState(false);
  if (payout.waiting.batches + payout.heldApart === 0) return null;
  return (
    <section aria-label="Next step" className="note bg-held-ground text-held">
      <p className="wraps flex-1 basis-60">{nextStepText(payout)}</p>
      {role !== "viewer" && (
        <span data-actions className="flex flex-wrap gap-2">
          {missingOf(payout) > 0 ? (
            <ButtonLink href={continuePath(payout)} variant="primary">
              Choose the same file again
            </ButtonLink>
          ) : (
            <Button variant="primary" onClick={() => setReleasing(true)}>
              Release payout…
            </Button>
          )}
        </span>
      )}
      {isReleasing && <ReleaseDialog payout={payout} close={() => setReleasing(false)} />}
    </section>
  );
}

function nextStepText(payout: ConsolePayout): string {
  const missing = missingOf(payout);
  const of = `${batchesOf(missing || payout.notPaidCount)} of this payout`;
  const isOne = (missing || payout.notPaidCount) === 1;
  if (missing > 0) return `${of} ${isOne ? "is" : "are"} not submitted. Nothing is paid until all are.`;
  if (payout.notPaidCount > 0)
    return (
      `${of} ${isOne ? "was" : "were"} cancelled. Release the others, or cancel them too. ` +
      "Then correct and resend what was cancelled."
    );
  return "All batches are submitted. Nothing is paid until someone releases the payout.";
}

function Parts({ payout }: { payout: ConsolePayout }) {
  const { parts, stored } = payout;
  // Those that were not paid, or not for good, or are unusual, before the others.
  const isOther = (part: ConsoleBatch) => Number(!isUnpaid(payout, part) && !part.flag);
  return (
    <Section
      title="Batches"
      actions={
        <ButtonLink size="small" variant="ghost" href={partsPath(payout)}>
          View in the list
        </ButtonLink>
      }
    >
      <PartsTable payout={payout} parts={parts.toSorted((one, two) => isOther(one) - isOther(two))} />
      {stored > parts.length && (
        <p className="hint">
          {batchesOf(parts.length)} of {formatCount(stored)}. The report has all of them.
        </p>
      )}
    </Section>
  );
}
