import type { ReactNode } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { Amount } from "@/app/ui/amount";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";

interface PointsCardsProps {
  /** Names the cards: "totals". */
  what: string;
  heading?: "h2" | "h3";
  amountOf: (type: PointType) => string;
  /** What the amount is: "available". By default what the wallet has. */
  of?: string;
  children?: (type: PointType) => ReactNode;
}

export function PointsCards(props: PointsCardsProps) {
  const { what, heading: Heading = "h3", amountOf, of, children } = props;
  return (
    <div className="grid gap-3 @2xl:grid-cols-2">
      {POINT_TYPES.map((type) => (
        <section
          key={type}
          aria-label={`${TYPE_LABELS[type]} ${what}`}
          className="card flex min-w-0 flex-col gap-2 p-4"
        >
          <Heading className="font-medium">{TYPE_LABELS[type]}</Heading>
          <p className="flex flex-wrap items-baseline gap-x-2 font-semibold text-figure">
            <Amount value={amountOf(type)} wraps />
            {of && <span className="font-normal text-body text-muted">{of}</span>}
          </p>
          {children?.(type)}
        </section>
      ))}
    </div>
  );
}
