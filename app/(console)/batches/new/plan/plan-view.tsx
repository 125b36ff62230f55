"use client";
import { ArrowLeft, LoaderCircle, Pause, RotateCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Alert } from "../../../../ui/alert";
import { formatAmount, formatCount } from "../../../../ui/amount";
import { Banner } from "../../../../ui/banner";
import { Button } from "../../../../ui/button";
import { batchesOf } from "../../count-words";
import { useLeaveWarning } from "../use-leave-warning";
import { DiscardDialog } from "./discard-dialog";
import { DoneView } from "./done-view";
import { forecastFunds } from "./funds";
import { PartsList } from "./parts-list";
import { isStored, type Plan } from "./plan";
import { PlanFacts } from "./plan-facts";
import { needsCheck, PlanReview } from "./plan-review";
import { forgetPlan, NoStore, updatePlan } from "./plan-store";
import { ReferenceForm } from "./reference-form";
import { usePlanRun } from "./use-plan-run";

interface PlanViewProps {
  plan: Plan;
  /** It was already in progress when the page was opened. */
  resumed: boolean;
  onPlan: (plan: Plan | null) => void;
  /** Returns to the form, with everything still filled in. */
  onBack: () => Promise<void>;
}

/** Shows the result of the dry run, then submits. */
export function PlanView({ plan, resumed, onPlan, onBack }: PlanViewProps) {
  const run = usePlanRun(plan, onPlan);
  const [discarding, setDiscarding] = useState(false);
  const [lost, setLost] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const { phase, states, problem } = run;
  const isDone = phase === "done";
  const stored = states.filter(isStored).length;
  const left = plan.parts.length - stored;
  useLeaveWarning(!isDone && left > 0);
  useEffect(() => {
    if (isDone) void forgetPlan(plan.owner);
  }, [isDone, plan.owner]);

  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const discard = async () => {
    await forgetPlan(plan.owner);
    onPlan(null);
  };
  const back = () =>
    onBack().catch((error) => setLost(error instanceof NoStore ? error.message : "Reload the page."));
  const rename = (reference: string) => {
    const renamed = { ...plan, reference };
    onPlan(renamed);
    void updatePlan(renamed);
    void run.tryOut(renamed);
  };
  if (isDone) return <DoneView plan={plan} states={states} onNew={() => onPlan(null)} />;

  const isBusy = phase === "trying" || phase === "sending";
  const tried = states.filter(({ kind }) => kind !== "waiting" && kind !== "trying").length;
  const conflict = states.some(
    (state) => state.kind === "refused" && state.problem.code === "batch_id_conflict",
  );
  const shortfall = forecastFunds(plan, states)?.shortfall ?? "0";
  const refused = states.some(({ kind }) => kind === "refused");
  const isTried = states.every(({ kind }) => kind === "ready" || kind === "stored");
  // A confirmed plan may continue after a failure; before that, every part must have passed the dry run.
  const isConfirmed = plan.confirmed || isChecked || !needsCheck(states);
  const maySend =
    (isTried || (plan.confirmed && phase !== "ready")) &&
    isConfirmed &&
    !isBusy &&
    !conflict &&
    shortfall === "0";
  return (
    <div className="flex flex-col gap-5">
      <h2 ref={heading} tabIndex={-1} className="font-semibold text-body outline-none">
        {!plan.confirmed
          ? "Review before submitting"
          : phase === "sending"
            ? "Submitting"
            : phase === "trying"
              ? "Checking what was already submitted"
              : `${formatCount(stored)} of ${batchesOf(plan.parts.length)} submitted`}
      </h2>
      {phase === "paused" && (
        <Banner>
          Paused. Submitted batches are not affected, and nothing else is submitted until you continue.
        </Banner>
      )}
      {resumed && (phase === "trying" || phase === "ready") && (
        <Banner>
          {plan.confirmed
            ? "Submitting this file was interrupted. Batches that were already submitted are not submitted again."
            : "You reviewed this file earlier, but did not submit it."}
        </Banner>
      )}
      <PlanFacts plan={plan} states={states} sent={phase !== "trying" && phase !== "ready"} />
      {conflict && !isBusy && (
        <ReferenceForm key={plan.reference} plan={plan} states={states} onReference={rename} />
      )}
      {shortfall !== "0" && !isBusy && (
        <Alert title="Not enough points">
          The contract needs {formatAmount(shortfall)} more to submit everything. Ask an admin to grant
          points, or submit fewer rows.
        </Alert>
      )}
      {problem && !conflict && (
        <Alert title={problem.title} requestId={problem.requestId}>
          {problem.detail} {stored > 0 && "Submitted batches are not affected. Continue to submit the rest."}
        </Alert>
      )}
      <PartsList plan={plan} states={states} />
      {phase === "ready" && !plan.confirmed && (
        <PlanReview plan={plan} states={states} isChecked={isChecked} onChecked={setChecked} />
      )}
      {isBusy && (
        <div role="status" className="flex flex-col gap-2">
          <p className="text-table tabular-nums">
            {phase === "trying"
              ? `Checking: ${tried} of ${batchesOf(plan.parts.length)}. Nothing is submitted yet.`
              : `${stored} of ${batchesOf(plan.parts.length)} submitted${run.isPausing ? ". Pausing after the current batch." : ""}`}
          </p>
          <progress
            aria-label={phase === "trying" ? "Batches checked" : "Batches submitted"}
            value={phase === "trying" ? tried : stored}
            max={plan.parts.length}
            className="h-1.5 w-full accent-accent"
          />
        </div>
      )}
      {lost && <Alert title="Rows not found">{lost}</Alert>}
      <div className="flex flex-wrap justify-end gap-2">
        {!plan.confirmed && phase !== "sending" && (
          <Button size="large" className="mr-auto" onClick={() => void back()}>
            <ArrowLeft aria-hidden size={14} />
            Back
          </Button>
        )}
        <Button size="large" disabled={phase === "sending"} onClick={() => setDiscarding(true)}>
          Discard…
        </Button>
        {phase === "sending" && (
          <Button size="large" disabled={run.isPausing} onClick={run.pause}>
            <Pause aria-hidden size={14} />
            Pause
          </Button>
        )}
        {!isBusy && (refused || shortfall !== "0" || phase === "failed") && (
          <Button size="large" onClick={() => void run.tryOut(plan)}>
            <RotateCw aria-hidden size={14} />
            Check again
          </Button>
        )}
        {left === 0 ? (
          <Button variant="primary" size="large" onClick={run.finish}>
            Finish
          </Button>
        ) : (
          <Button variant="primary" size="large" disabled={!maySend} onClick={() => void run.send()}>
            {phase === "sending" && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
            {plan.confirmed && phase !== "sending"
              ? `Submit ${formatCount(left)} remaining ${left === 1 ? "batch" : "batches"}`
              : `Submit ${batchesOf(left)}`}
          </Button>
        )}
      </div>
      <DiscardDialog
        open={discarding}
        onOpenChange={setDiscarding}
        storedCount={stored}
        onDiscard={() => void discard()}
      />
    </div>
  );
}
