import type { ReactNode } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { Amount } from "@/app/ui/amount";
import type { ReceivedPoints } from "@/server/recipients/schema";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";

interface PointsCardsProps {
  /** Names the cards: "totals". */
  what: string;
  heading?: "h2" | "h3";
  /** Shows the names of the types in the API. */
  codes?: boolean;
  amountOf: (type: PointType) => string;
  /** What the amount is: "issued". The name of the point type when absent. */
  of?: string;
  children: (type: PointType) => ReactNode;
}

export function PointsCards(props: PointsCardsProps) {
  const { what, heading: Heading = "h3", codes, amountOf, of, children } = props;
  return (
    <div className="grid gap-3 @2xl:grid-cols-2">
      {POINT_TYPES.map((type) => (
        <section
          key={type}
          aria-label={`${TYPE_LABELS[type]} ${what}`}
          className="card flex min-w-0 flex-col gap-2 p-4"
        >
          <div className="flex items-baseline justify-between gap-3">
            <Heading className="font-medium">{TYPE_LABELS[type]}</Heading>
            {codes && <span className="font-mono hint">{type}</span>}
          </div>
          <p className="flex flex-wrap items-baseline gap-x-2 font-semibold text-figure">
            <Amount value={amountOf(type)} wraps />
            <span className="font-normal text-body text-muted">{of ?? TYPE_LABELS[type]}</span>
          </p>
          {children(type)}
        </section>
      ))}
    </div>
  );
}

interface FigureLineProps {
  amount: string;
  tone?: string;
  children: ReactNode;
}

/** A smaller amount, and what it is. Nothing for 0. */
export const FigureLine = ({ amount, tone = "text-muted", children }: FigureLineProps) =>
  amount !== "0" && (
    <p className="text-table">
      <Amount value={amount} wraps className="font-medium" /> <span className={tone}>{children}</span>
    </p>
  );

/** How a balance came about. Nothing for an address that has received nothing. */
export const BalanceParts = ({ received, takenBack }: Pick<ReceivedPoints, "received" | "takenBack">) =>
  received !== "0" && (
    <p className="text-muted text-table">
      <Amount value={received} wraps className="font-medium text-text" /> received
      {takenBack !== "0" && (
        <>
          {" "}
          − <Amount value={takenBack} wraps className="font-medium text-text" /> taken back
        </>
      )}
    </p>
  );

/** A contract's balance by its transfers is not what it can send. */
export const ContractNote = () => (
  <p className="hint">
    This address is also a contract. Points that were issued to it or that it sent are not counted here.
  </p>
);

/** Above sums that are minimums. */
export const AtLeast = () => (
  <p className="hint">Too many batches are pending to read them all. There may be more than:</p>
);
