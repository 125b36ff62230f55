"use client";
import { Ban, Check, Circle, CircleCheck, LoaderCircle, type LucideIcon } from "lucide-react";
import Link from "next/link";
import { comparisonText, Findings } from "@/app/(console)/batches/batch/review";
import { Amount, counted, formatCount } from "@/app/ui/amount";
import { Badge, type Tone } from "@/app/ui/badge";
import { formatDuration } from "@/app/ui/duration";
import { Fact, FactList } from "@/app/ui/fact-list";
import { HashText } from "@/app/ui/hash-text";
import { Instant } from "@/app/ui/instant";
import { ScrollRegion } from "@/app/ui/scroll-region";
import { Section } from "@/app/ui/section";
import { useTimeZone } from "@/app/ui/time-zone";
import { type BatchReview, isOdd } from "@/server/batches/list/findings";
import { classNames } from "../../../../ui/class-names";
import { batchesOf } from "../../count-words";
import { batchPath } from "../../paths";
import { TYPE_LABELS } from "../../status";
import { forecastFunds, idOfPart, isStored, type PartState, type Plan } from "./plan";

const WRAPS = "whitespace-normal! break-all";

interface PlanProps {
  plan: Plan;
  states: readonly PartState[];
}

/** @param sent hides the forecast */
export function PlanFacts({ plan, states, sent = false }: PlanProps & { sent?: boolean }) {
  const { zone } = useTimeZone();
  const funds = sent ? null : forecastFunds(plan, states);
  const stored = states.filter(isStored).length;
  const due = states
    .flatMap((state) => ("finalizeAt" in state && state.finalizeAt ? [state.finalizeAt] : []))
    .sort();
  return (
    <FactList className="sm:grid-cols-2">
      <Fact name="Contract">
        <span className="flex min-w-0 flex-col items-end">
          <span>{plan.contractLabel}</span>
          <HashText value={plan.contractAddress} what="contract address" className="text-muted" />
        </span>
      </Fact>
      <Fact name="File">
        <span className="break-all">{plan.fileName}</span>
      </Fact>
      <Fact name="Transfers">{formatCount(plan.rowCount)}</Fact>
      <Fact name={`Total (${TYPE_LABELS[plan.pointType]})`}>
        <Amount value={plan.points} className={`${WRAPS} font-medium`} />
      </Fact>
      <Fact name="Batches">
        {formatCount(plan.parts.length)}
        {stored > 0 && !sent && ` (${formatCount(stored)} already submitted)`}
      </Fact>
      <Fact name={`Due (${zone})`}>
        {due[0] ? (
          <span>
            <Instant at={due[0]} className="tabular-nums" />
            {!sent && stored === 0 && <span className="text-muted"> if submitted now</span>}
            {plan.parts.length > 1 && <span className="text-muted">, or once released if later</span>}
          </span>
        ) : (
          `${formatDuration(plan.secondsToFinalize)} after submission`
        )}
      </Fact>
      {funds && (
        <>
          <Fact name="Available now">
            <Amount value={funds.before} className={WRAPS} />
          </Fact>
          <Fact name="Available after">
            <Amount value={funds.after} className={WRAPS} />
          </Fact>
          {plan.issuance === "ON_DEMAND" ? (
            <Fact name="To be issued">
              <Amount value={funds.issued} className={WRAPS} />
            </Fact>
          ) : (
            <Fact name="Shortfall">
              <Amount
                value={funds.shortfall}
                className={classNames(WRAPS, funds.shortfall !== "0" && "text-danger")}
              />
            </Fact>
          )}
        </>
      )}
    </FactList>
  );
}

const COLUMNS = "sm:grid sm:grid-cols-[minmax(0,1fr)_90px_190px_130px] sm:items-center sm:gap-x-4";

interface Look {
  label: string;
  tone: Tone;
  icon: LucideIcon;
}

const LOOKS = {
  waiting: { label: "Not submitted", tone: "cancelled", icon: Circle },
  trying: { label: "Checking", tone: "finalizing", icon: LoaderCircle },
  ready: { label: "Ready", tone: "pending", icon: Check },
  sending: { label: "Submitting", tone: "finalizing", icon: LoaderCircle },
  stored: { label: "Submitted", tone: "finalized", icon: CircleCheck },
  refused: { label: "Rejected", tone: "danger", icon: Ban },
} as const satisfies Record<PartState["kind"], Look>;

export function PartsList({ plan, states }: PlanProps) {
  return (
    <ScrollRegion
      aria-label="Batches to submit"
      className="max-h-[480px] overflow-y-auto rounded-card border border-line bg-surface"
    >
      <div aria-hidden className={`max-sm:hidden px-4 py-2 font-medium text-label text-muted ${COLUMNS}`}>
        <span>Batch ID</span>
        <span className="text-right">Transfers</span>
        <span className="text-right">Amount ({TYPE_LABELS[plan.pointType]})</span>
        <span>Status</span>
      </div>
      <ol>
        {plan.parts.map((_, index) => (
          <PartItem key={idOfPart(plan, index)} plan={plan} index={index} state={states[index]!} />
        ))}
      </ol>
    </ScrollRegion>
  );
}

function PartItem({ plan, index, state }: { plan: Plan; index: number; state: PartState }) {
  const { contractAddress, pointType } = plan;
  const { count, points } = plan.parts[index]!;
  const id = idOfPart(plan, index);
  const { label, tone, icon } = LOOKS[state.kind];
  const before = state.kind === "stored" && state.before;
  return (
    <li
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 border-line px-4 py-2 text-table max-sm:not-first:border-t sm:border-t ${COLUMNS}`}
    >
      <span className="min-w-0 break-all font-mono text-mono max-sm:w-full">
        {state.kind === "stored" ? (
          <Link href={batchPath({ contractAddress, id })} prefetch={false} className="text-accent underline">
            {id}
          </Link>
        ) : (
          id
        )}
      </span>
      <span className="tabular-nums sm:text-right">
        {formatCount(count)}
        <span className="sm:hidden"> {count === 1 ? "transfer" : "transfers"}</span>
      </span>
      <span className="break-all sm:text-right">
        <Amount value={points} className="whitespace-normal!" />
        <span className="sm:hidden"> {TYPE_LABELS[pointType]}</span>
      </span>
      <span>
        <Badge tone={tone} icon={icon} spin={icon === LoaderCircle}>
          {before ? "Already submitted" : label}
        </Badge>
      </span>
      {state.kind === "refused" && (
        <p className="col-span-4 w-full text-danger text-label">{state.problem.detail}</p>
      )}
    </li>
  );
}

const SHOWN_MAX = 10;

interface PlanReviewProps extends PlanProps {
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
