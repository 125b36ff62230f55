import { Section } from "@/app/(console)/batches/batch/parts";
import { comparisonText, Findings } from "@/app/(console)/batches/batch/review";
import { type BatchReview, isOdd } from "@/server/batches/list/findings";
import { counted } from "../../../../ui/counted";
import { batchesOf } from "../../count-words";
import { idOfPart, type PartState, type Plan } from "./plan";

const SHOWN_MAX = 10;

interface PlanReviewProps {
  plan: Plan;
  states: readonly PartState[];
  isChecked: boolean;
  onChecked: (isChecked: boolean) => void;
}

/** The findings of the dry run. Unusual ones ask for a confirmation before anything is submitted. */
export function PlanReview({ plan, states, isChecked, onChecked }: PlanReviewProps) {
  const reviews = reviewsOf(states);
  const first = reviews[0]?.[1];
  if (!first) return null;
  const odd = reviews.filter(([, { level }]) => isOdd(level));
  const shown = plan.parts.length === 1 ? reviews : odd.slice(0, SHOWN_MAX);
  return (
    <Section title="Review" note={comparisonText(first, plan.pointType)}>
      <div className="flex flex-col rounded-card border border-line bg-surface px-4 py-1">
        {shown.map(([part, review]) => (
          <div key={part}>
            {plan.parts.length > 1 && (
              <h3 className="break-all pt-2 font-mono text-mono text-muted">{idOfPart(plan, part)}</h3>
            )}
            <ul>
              <Findings
                review={review}
                contractAddress={plan.contractAddress}
                onlyOdd={plan.parts.length > 1}
              />
            </ul>
          </div>
        ))}
        {shown.length === 0 && (
          <p className="py-2 text-table">Nothing unusual in {batchesOf(reviews.length)}.</p>
        )}
        {odd.length > shown.length && (
          <p className="py-2 text-muted text-table">
            {counted(odd.length - shown.length, "more batch is", "more batches are")} unusual.
          </p>
        )}
      </div>
      {odd.length > 0 && (
        <label className="flex items-center gap-2 text-table">
          <input
            type="checkbox"
            checked={isChecked}
            onChange={(event) => onChecked(event.target.checked)}
            className="size-4 accent-accent"
          />
          I have checked this
        </label>
      )}
    </Section>
  );
}

/** Whether the findings ask for a confirmation. */
export const needsCheck = (states: readonly PartState[]): boolean =>
  reviewsOf(states).some(([, { level }]) => isOdd(level));

function reviewsOf(states: readonly PartState[]): [number, BatchReview][] {
  return states.flatMap((state, part) =>
    state.kind === "ready" && state.review ? [[part, state.review] as [number, BatchReview]] : [],
  );
}
