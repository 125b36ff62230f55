"use client";
import { FileText, Tag } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { NextDue } from "@/app/(console)/batches/status-badge";
import { contractPath, recipientPath } from "@/app/(console)/contracts/paths";
import { useRecent } from "@/app/(console)/search/recent";
import { useStaff } from "@/app/(console)/staff";
import { walletPath } from "@/app/r/paths";
import { Amount, counted, formatAmount } from "@/app/ui/amount";
import { Button, ButtonLink, TextLink } from "@/app/ui/button";
import { AtLeast, FigureCard, FigureLine } from "@/app/ui/figure-card";
import { HashText } from "@/app/ui/hash-text";
import { Section } from "@/app/ui/section";
import { Instant } from "@/app/ui/time";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import type { ConsoleRecipient, ReceivedPoints, ReceivedSums } from "@/server/recipients/schema";

const LabelDialog = dynamic(() => import("./label-dialog"));

export function RecipientHead({ recipient }: { recipient: ConsoleRecipient }) {
  const { address, label, contractLabel, firstAt, latestAt } = recipient;
  const { role, walletPages } = useStaff();
  const mayLabel = role !== "viewer" && contractLabel === null;
  const [labelling, setLabelling] = useState(false);
  const name = contractLabel ?? label;
  useRecent({ kind: "recipient", href: recipientPath(address), title: address, detail: name ?? "" });
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0">
        <p className="text-label text-muted">Recipient</p>
        <h1>
          {name !== null && <span className="wrap-anywhere block font-semibold text-title">{name}</span>}
          <HashText value={address} what="address" form="whole" className="font-medium text-body!" />
        </h1>
        {firstAt && latestAt && (
          <p className="mt-1 text-label text-muted">
            First batch <Instant at={firstAt} className="tabular-nums" />, latest batch{" "}
            <Instant at={latestAt} className="tabular-nums" />
          </p>
        )}
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

interface TotalsProps {
  points: Record<PointType, ReceivedPoints>;
  isWhole: boolean;
  asOf: string;
}

export const Totals = ({ points, isWhole, asOf }: TotalsProps) => (
  <Section title="Totals">
    <div className="grid gap-3 @2xl:grid-cols-2">
      {POINT_TYPES.map((type) => (
        <TypeTotals key={type} type={type} points={points[type]} isWhole={isWhole} asOf={asOf} />
      ))}
    </div>
  </Section>
);

const transfers = (count: number) => counted(count, "transfer", "transfers");

interface TypeTotalsProps extends Omit<TotalsProps, "points"> {
  type: PointType;
  points: ReceivedPoints;
}

function TypeTotals({ type, points, isWhole, asOf }: TypeTotalsProps) {
  const { received, pending, pendingTransfers, awaitingApproval, nextDueAt, held, heldTransfers } = points;
  const name = TYPE_LABELS[type];
  return (
    <FigureCard label={`${name} totals`} title={name} code={type} amount={received} of="received">
      {!isWhole && <AtLeast />}
      {pendingTransfers === 0 && <p className="text-muted text-table">Nothing pending</p>}
      <FigureLine amount={pending}>
        pending in {transfers(pendingTransfers)}
        {awaitingApproval !== "0" && `, ${formatAmount(awaitingApproval)} of it awaiting approval`}
        {nextDueAt && (
          <>
            , next due <NextDue at={nextDueAt} asOf={asOf} />
          </>
        )}
      </FigureLine>
      <FigureLine amount={held} tone="text-held">
        on hold in {transfers(heldTransfers)}, not credited until staff release{" "}
        {heldTransfers === 1 ? "it" : "them"}
      </FigureLine>
      <FigureLine amount={points.takenBack}>taken back</FigureLine>
      <FigureLine amount={points.takingBack}>to be taken back by pending reversals</FigureLine>
    </FigureCard>
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

/** The sums of the filtered transfers, each type under its own name. */
export function FilteredSums({ sums: { points, isWhole } }: { sums: ReceivedSums }) {
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
      className="flex flex-wrap gap-x-8 gap-y-1 rounded-card border border-line bg-surface px-4 py-2.5 text-table"
    >
      {sums.map(({ type, count, parts }) => (
        <div key={type} className="flex flex-wrap items-baseline gap-x-2">
          <dt className="font-medium">{TYPE_LABELS[type]}</dt>
          <dd className="text-muted">
            {!isWhole && "at least "}
            {parts.map(({ amount, words }, index) => (
              <span key={words}>
                {index > 0 && ", "}
                <Amount value={amount} className="whitespace-normal! break-all font-medium text-text" />{" "}
                {words}
              </span>
            ))}{" "}
            in {transfers(count)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
