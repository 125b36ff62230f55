"use client";
import { Ban, Check, Circle, CircleCheck, LoaderCircle, type LucideIcon } from "lucide-react";
import Link from "next/link";
import { Amount, formatCount } from "../../../../ui/amount";
import { Badge, type Tone } from "../../../../ui/badge";
import { ScrollRegion } from "../../../../ui/scroll-region";
import { batchPath } from "../../paths";
import { TYPE_LABELS } from "../../status";
import { idOfPart, type PartState, type Plan } from "./plan";

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

interface PartsListProps {
  plan: Plan;
  states: readonly PartState[];
}

export function PartsList({ plan, states }: PartsListProps) {
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
