import { POINT_TYPES, type PointType } from "@/server/kernel/values/point-types";
import type { ReceivedPoints } from "@/server/recipients/console-schema";
import { Amount } from "../../ui/amount";
import { Section } from "../batches/batch/section";
import { TYPE_LABELS } from "../batches/status";
import { NextDue } from "../batches/status-badge";

interface TotalsProps {
  points: Record<PointType, ReceivedPoints>;
  asOf: string;
}

export function Totals({ points, asOf }: TotalsProps) {
  return (
    <Section title="Totals">
      <div className="grid gap-3 @2xl:grid-cols-2">
        {POINT_TYPES.map((type) => (
          <section
            key={type}
            aria-label={`${TYPE_LABELS[type]} totals`}
            className="flex min-w-0 flex-col gap-2 rounded-card border border-line bg-surface p-4"
          >
            <div className="flex items-baseline justify-between gap-3">
              <h3 className="font-medium">{TYPE_LABELS[type]}</h3>
              <span className="font-mono text-label text-muted">{type}</span>
            </div>
            <p className="flex flex-wrap items-baseline gap-x-2 font-semibold text-figure">
              <Amount value={points[type].received} className="whitespace-normal! break-all" />
              <span className="font-normal text-body text-muted">received</span>
            </p>
            <Pending points={points[type]} asOf={asOf} />
            <OnHold points={points[type]} />
            <TakenBack points={points[type]} />
          </section>
        ))}
      </div>
    </Section>
  );
}

function Pending({ points, asOf }: { points: ReceivedPoints; asOf: string }) {
  if (points.waitingTransfers === 0) return <p className="text-muted text-table">Nothing pending</p>;
  return (
    <p className="text-table">
      <Amount value={points.waiting} className="whitespace-normal! break-all font-medium" />{" "}
      <span className="text-muted">
        pending in <Amount value={String(points.waitingTransfers)} />{" "}
        {points.waitingTransfers === 1 ? "transfer" : "transfers"}
        {points.nextDueAt && (
          <>
            , next due <NextDue at={points.nextDueAt} asOf={asOf} />
          </>
        )}
      </span>
    </p>
  );
}

function TakenBack({ points: { takenBack, takingBack } }: { points: ReceivedPoints }) {
  if (takenBack === "0" && takingBack === "0") return null;
  return (
    <p className="text-table">
      {takenBack !== "0" && (
        <>
          <Amount value={takenBack} className="whitespace-normal! break-all font-medium" />{" "}
          <span className="text-muted">taken back</span>
        </>
      )}
      {takenBack !== "0" && takingBack !== "0" && ", "}
      {takingBack !== "0" && (
        <>
          <Amount value={takingBack} className="whitespace-normal! break-all font-medium" />{" "}
          <span className="text-muted">about to be taken back</span>
        </>
      )}
    </p>
  );
}

function OnHold({ points: { held, heldTransfers } }: { points: ReceivedPoints }) {
  if (heldTransfers === 0) return null;
  return (
    <p className="text-table">
      <Amount value={held} className="whitespace-normal! break-all font-medium" />{" "}
      <span className="text-held">
        on hold in <Amount value={String(heldTransfers)} /> {heldTransfers === 1 ? "transfer" : "transfers"}
      </span>
      <span className="text-muted">
        , not credited until staff release {heldTransfers === 1 ? "it" : "them"}
      </span>
    </p>
  );
}
