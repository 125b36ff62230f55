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
import { Button } from "@/app/ui/button";
import { ButtonLink, TextLink } from "@/app/ui/button-link";
import { AtLeast, FigureCard, FigurePart } from "@/app/ui/figure-card";
import { HashText } from "@/app/ui/hash-text";
import { Instant } from "@/app/ui/instant";
import { Section } from "@/app/ui/section";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import type {
  ConsoleRecipient,
  FilteredPoints,
  ReceivedPoints,
  ReceivedSums,
} from "@/server/recipients/schema";

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

export function Totals({ points, isWhole, asOf }: TotalsProps) {
  return (
    <Section title="Totals">
      <div className="grid gap-3 @2xl:grid-cols-2">
        {POINT_TYPES.map((type) => (
          <FigureCard
            key={type}
            label={`${TYPE_LABELS[type]} totals`}
            title={TYPE_LABELS[type]}
            code={type}
            amount={points[type].received}
            of="received"
          >
            {!isWhole && <AtLeast />}
            <Pending points={points[type]} asOf={asOf} />
            <OnHold points={points[type]} />
            <TakenBack points={points[type]} />
          </FigureCard>
        ))}
      </div>
    </Section>
  );
}

const transfers = (count: number) => counted(count, "transfer", "transfers");

function Pending({ points, asOf }: { points: ReceivedPoints; asOf: string }) {
  if (points.pendingTransfers === 0) return <p className="text-muted text-table">Nothing pending</p>;
  return (
    <p className="text-table">
      <FigurePart amount={points.pending}>
        pending in {transfers(points.pendingTransfers)}
        {points.awaitingApproval !== "0" &&
          `, ${formatAmount(points.awaitingApproval)} of it awaiting approval`}
        {points.nextDueAt && (
          <>
            , next due <NextDue at={points.nextDueAt} asOf={asOf} />
          </>
        )}
      </FigurePart>
    </p>
  );
}

function OnHold({ points: { held, heldTransfers } }: { points: ReceivedPoints }) {
  if (heldTransfers === 0) return null;
  return (
    <p className="text-table">
      <FigurePart amount={held} tone="text-held">
        on hold in {transfers(heldTransfers)}
      </FigurePart>
      <span className="text-muted">
        , not credited until staff release {heldTransfers === 1 ? "it" : "them"}
      </span>
    </p>
  );
}

function TakenBack({ points: { takenBack, takingBack } }: { points: ReceivedPoints }) {
  if (takenBack === "0" && takingBack === "0") return null;
  return (
    <p className="text-table">
      {takenBack !== "0" && <FigurePart amount={takenBack}>taken back</FigurePart>}
      {takenBack !== "0" && takingBack !== "0" && ", "}
      {takingBack !== "0" && (
        <FigurePart amount={takingBack}>to be taken back by pending reversals</FigurePart>
      )}
    </p>
  );
}

const PARTS = ["credited", "pending", "held", "cancelled", "takenBack", "takingBack"] as const;
const WORDS = {
  credited: "credited",
  pending: "pending",
  held: "on hold",
  cancelled: "cancelled",
  takenBack: "taken back",
  takingBack: "to be taken back",
} as const;

/** The sums of the filtered transfers, each type under its own name. */
export function FilteredSums({ sums: { points, isWhole } }: { sums: ReceivedSums }) {
  const types = POINT_TYPES.filter(
    (type) => points[type].transfers > 0 || PARTS.some((part) => points[type][part] !== "0"),
  );
  if (types.length === 0) return null;
  return (
    <dl
      aria-label="Sums of the filtered transfers"
      className="flex flex-wrap gap-x-8 gap-y-1 rounded-card border border-line bg-surface px-4 py-2.5 text-table"
    >
      {types.map((type) => (
        <TypeSum key={type} type={type} sum={points[type]} isWhole={isWhole} />
      ))}
    </dl>
  );
}

function TypeSum({ type, sum, isWhole }: { type: PointType; sum: FilteredPoints; isWhole: boolean }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2">
      <dt className="font-medium">{TYPE_LABELS[type]}</dt>
      <dd className="text-muted">
        {!isWhole && "at least "}
        {PARTS.filter((part) => sum[part] !== "0").map((part, index) => (
          <span key={part}>
            {index > 0 && ", "}
            <Amount value={sum[part]} className="whitespace-normal! break-all font-medium text-text" />{" "}
            {WORDS[part]}
          </span>
        ))}{" "}
        in <Amount value={String(sum.transfers)} /> {sum.transfers === 1 ? "transfer" : "transfers"}
      </dd>
    </div>
  );
}
