import type { ReactNode } from "react";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import type { ReceivedPoints } from "@/server/recipients/console-schema";
import { Amount, formatAmount } from "../../ui/amount";
import { counted } from "../../ui/counted";
import { AtLeast, FigureCard } from "../../ui/figure-card";
import { Section } from "../batches/batch/section";
import { TYPE_LABELS } from "../batches/status";
import { NextDue } from "../batches/status-badge";

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

interface PartProps {
  amount: string;
  tone?: string;
  children: ReactNode;
}

const Part = ({ amount, tone = "text-muted", children }: PartProps) => (
  <>
    <Amount value={amount} className="whitespace-normal! break-all font-medium" />{" "}
    <span className={tone}>{children}</span>
  </>
);

const transfers = (count: number) => counted(count, "transfer", "transfers");

function Pending({ points, asOf }: { points: ReceivedPoints; asOf: string }) {
  if (points.pendingTransfers === 0) return <p className="text-muted text-table">Nothing pending</p>;
  return (
    <p className="text-table">
      <Part amount={points.pending}>
        pending in {transfers(points.pendingTransfers)}
        {points.awaitingApproval !== "0" &&
          `, ${formatAmount(points.awaitingApproval)} of it awaiting approval`}
        {points.nextDueAt && (
          <>
            , next due <NextDue at={points.nextDueAt} asOf={asOf} />
          </>
        )}
      </Part>
    </p>
  );
}

function OnHold({ points: { held, heldTransfers } }: { points: ReceivedPoints }) {
  if (heldTransfers === 0) return null;
  return (
    <p className="text-table">
      <Part amount={held} tone="text-held">
        on hold in {transfers(heldTransfers)}
      </Part>
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
      {takenBack !== "0" && <Part amount={takenBack}>taken back</Part>}
      {takenBack !== "0" && takingBack !== "0" && ", "}
      {takingBack !== "0" && <Part amount={takingBack}>to be taken back by pending reversals</Part>}
    </p>
  );
}
