"use client";
import { ArrowLeft, CircleCheck, LoaderCircle, RotateCw } from "lucide-react";
import Link from "next/link";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { Alert } from "@/app/ui/alert";
import { formatAmount, formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { buttonLook } from "@/app/ui/button-look";
import { batchesOf } from "../../count-words";
import { batchPath, uploadPath } from "../../paths";
import { nextReference, referenceError } from "../csv/reference";
import { ReferenceField } from "../prepare/fields";
import { Steps, useLeaveWarning } from "../steps";
import { forecastFunds, isStored, type PartState, type Plan, uploadIdOf } from "./plan";
import { needsCheck, PartsList, PlanFacts, PlanReview } from "./plan-parts";
import { usePlanRun } from "./use-plan-run";

interface PlanViewProps {
  plan: Plan;
  onPlan: (plan: Plan) => void;
  /** Returns to the form, with everything still filled in. */
  onBack: () => void;
  /** Starts with an empty form. */
  onNew: () => void;
}

/** Shows the result of the dry run, then submits. */
export function PlanView({ plan, onPlan, onBack, onNew }: PlanViewProps) {
  const run = usePlanRun(plan);
  const [isChecked, setChecked] = useState(false);
  const { phase, states, problem, hasSent } = run;
  const stored = states.filter(isStored).length;
  const count = plan.parts.length;
  const left = count - stored;
  const isDone = phase === "done";
  useLeaveWarning(!isDone && (left > 0 || phase === "sending"));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const rename = (reference: string) => {
    const renamed = { ...plan, reference };
    onPlan(renamed);
    void run.tryOut(renamed);
  };
  const steps = <Steps now={hasSent ? "Submit" : "Review"} />;
  if (isDone && count === 1)
    return (
      <>
        {steps}
        <DoneView plan={plan} states={states} onNew={onNew} />
      </>
    );

  // The page of the release job, or of the file's batches, is about to open.
  const isSending = phase === "sending" || isDone;
  const isBusy = phase === "trying" || isSending;
  const tried = states.filter(({ kind }) => kind !== "waiting" && kind !== "trying").length;
  const conflict = states.some(
    (state) => state.kind === "refused" && state.problem.code === "batch_id_conflict",
  );
  const shortfall = forecastFunds(plan, states)?.shortfall ?? "0";
  const refused = states.some(({ kind }) => kind === "refused");
  const isTried = states.every(({ kind }) => kind === "ready" || kind === "stored");
  // What was confirmed may continue after a failure; before that, every part must have passed the dry run.
  const isConfirmed = hasSent || isChecked || !needsCheck(states);
  const maySend =
    (isTried || (hasSent && phase !== "ready")) && isConfirmed && !isBusy && !conflict && shortfall === "0";
  return (
    <>
      {steps}
      <div className="flex flex-col gap-5">
        <h2 ref={heading} tabIndex={-1} className="font-semibold text-body outline-none">
          {!hasSent
            ? "Review before submitting"
            : isSending
              ? "Submitting"
              : `${formatCount(stored)} of ${batchesOf(count)} submitted`}
        </h2>
        <PlanFacts plan={plan} states={states} sent={hasSent} />
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
            {problem.detail}
          </Alert>
        )}
        {count > 1 && stored > 0 && !isBusy && (
          <p className="text-table">
            {left === 0 ? "All" : formatCount(stored)} of {batchesOf(count)} {stored === 1 ? "is" : "are"}{" "}
            already submitted. Those on hold are not paid until all are submitted and released. Those that are
            due by then are finalized within seconds.{" "}
            <Link href={uploadPath(uploadIdOf(plan))} className="text-accent underline">
              View or cancel them
            </Link>
          </p>
        )}
        <PartsList plan={plan} states={states} />
        {phase === "ready" && !hasSent && (
          <PlanReview plan={plan} states={states} isChecked={isChecked} onChecked={setChecked} />
        )}
        {isBusy && (
          <div role="status" className="flex flex-col gap-2">
            <p className="text-table tabular-nums">
              {phase === "trying"
                ? `Checking: ${tried} of ${batchesOf(count)}. Nothing is submitted yet.`
                : `${stored} of ${batchesOf(count)} submitted${count > 1 ? " on hold. Nothing is paid until all are" : ""}.`}
            </p>
            <progress
              aria-label={phase === "trying" ? "Batches checked" : "Batches submitted"}
              value={phase === "trying" ? tried : stored}
              max={count}
              className="h-1.5 w-full accent-accent"
            />
          </div>
        )}
        {count > 1 && !isBusy && (
          <p className="text-label text-muted">
            The batches are submitted on hold. Once all are stored, a bulk job releases them, even if you
            close this page.
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {!isSending && (
            <Button size="large" className="mr-auto" onClick={onBack}>
              <ArrowLeft aria-hidden size={14} />
              Back
            </Button>
          )}
          {!isBusy && (refused || shortfall !== "0" || phase === "failed") && (
            <Button size="large" onClick={() => void run.tryOut(plan)}>
              <RotateCw aria-hidden size={14} />
              Check again
            </Button>
          )}
          <Button variant="primary" size="large" disabled={!maySend} onClick={() => void run.send()}>
            {isSending && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
            {sendLabel(count, left, hasSent && !isSending)}
          </Button>
        </div>
      </div>
    </>
  );
}

function sendLabel(count: number, left: number, isRetry: boolean): string {
  if (left === 0) return count === 1 ? "Finish" : `Release ${batchesOf(count)}`;
  if (!isRetry) return `Submit ${batchesOf(left)}`;
  return `Submit ${formatCount(left)} remaining ${left === 1 ? "batch" : "batches"}`;
}

interface DoneViewProps {
  plan: Plan;
  states: readonly PartState[];
  onNew: () => void;
}

function DoneView({ plan, states, onNew }: DoneViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { contractAddress, reference: id } = plan;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-start gap-3">
        <CircleCheck aria-hidden size={20} className="mt-0.5 shrink-0 text-finalized" />
        <div>
          <h2 ref={heading} tabIndex={-1} className="font-semibold text-body outline-none">
            Batch submitted
          </h2>
          <p className="text-muted">
            It is now pending. You can cancel it until it is due. After that, each recipient is credited once.
          </p>
        </div>
      </div>
      <PlanFacts plan={plan} states={states} sent />
      <PartsList plan={plan} states={states} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="large" onClick={onNew}>
          New batch
        </Button>
        <Link
          href={batchPath({ contractAddress, id })}
          className={buttonLook({ variant: "primary", size: "large" })}
        >
          View batch
        </Link>
      </div>
    </div>
  );
}

interface ReferenceFormProps {
  plan: Plan;
  states: readonly PartState[];
  onReference: (reference: string) => void;
}

/** Resolves a conflict by submitting the same rows under another reference. */
function ReferenceForm({ plan, states, onReference }: ReferenceFormProps) {
  const [reference, setReference] = useState(nextReference(plan.reference, plan.parts.length));
  const error = referenceError(reference, plan.parts.length);
  const stored = states.filter(isStored).length;
  const use = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!error) onReference(reference);
  };
  return (
    <form
      onSubmit={use}
      noValidate
      className="flex flex-col gap-3 rounded-card border border-danger bg-danger-ground p-4"
    >
      <div role="alert" className="text-table">
        <p className="font-medium text-danger">Reference {plan.reference} is already in use</p>
        <p className="mt-1">
          Batches with different content were already submitted under this reference. To submit this file as
          well, use another reference. To replace those batches, cancel them first.
        </p>
        {stored > 0 && (
          <p className="mt-1">
            {stored === 1 ? "1 batch" : `${stored} batches`} of this file {stored === 1 ? "was" : "were"}{" "}
            already submitted under this reference, so another reference would pay the same rows twice. Cancel{" "}
            {stored === 1 ? "that batch" : "those batches"} or remove the rows from the file. Then start
            again.
          </p>
        )}
      </div>
      {stored === 0 && (
        <div className="flex flex-wrap items-end gap-2">
          <div className="min-w-0 flex-1 basis-60">
            <ReferenceField
              label="New reference"
              reference={reference}
              error={error}
              onChange={setReference}
            />
          </div>
          <Button type="submit" size="large" disabled={error !== null} className="h-9!">
            Use this reference
          </Button>
        </div>
      )}
    </form>
  );
}
