"use client";
import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { formatCount } from "../../../../ui/amount";
import { Button } from "../../../../ui/button";
import { buttonLook } from "../../../../ui/button-look";
import { PartsList } from "./parts-list";
import { batchesPath, type PartState, type Plan } from "./plan";
import { PlanFacts } from "./plan-facts";

interface DoneViewProps {
  plan: Plan;
  states: readonly PartState[];
  onNew: () => void;
}

export function DoneView({ plan, states, onNew }: DoneViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const count = plan.parts.length;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-start gap-3">
        <CircleCheck aria-hidden size={20} className="mt-0.5 shrink-0 text-finalized" />
        <div>
          <h2 ref={heading} tabIndex={-1} className="font-semibold text-body outline-none">
            {count === 1 ? "Batch submitted" : `All ${formatCount(count)} batches submitted`}
          </h2>
          <p className="text-muted">
            {count === 1
              ? "It is now pending. You can cancel it until it is due."
              : "They are now pending. You can cancel them until they are due."}{" "}
            After that, each recipient is credited once.
          </p>
        </div>
      </div>
      <PlanFacts plan={plan} states={states} sent />
      <PartsList plan={plan} states={states} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="large" onClick={onNew}>
          New batch
        </Button>
        <Link href={batchesPath(plan)} className={buttonLook({ variant: "primary", size: "large" })}>
          {count === 1 ? "View batch" : "View batches"}
        </Link>
      </div>
    </div>
  );
}
