import { ArrowLeft, Ban, Check, Circle, CircleCheck, CircleHelp, LoaderCircle, RotateCw } from "lucide-react";
import { type ComponentProps, useRef } from "react";
import { BatchIdLink } from "@/app/(console)/batch-link";
import { comparisonText, Findings } from "@/app/(console)/batches/batch/review";
import { useLeaveWarning, useWayBack } from "@/app/(console)/batches/new/use-leave-warning";
import { batchesOf, TYPE_LABELS } from "@/app/(console)/batches/status";
import { ShortWaitNote } from "@/app/(console)/batches/wait-field";
import type { ShownProblem } from "@/app/data/problem";
import { Alert } from "@/app/ui/alert";
import { Amount, counted, formatAmount, formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { Button, ButtonLink, TextLink } from "@/app/ui/button";
import { amountColumn, DataTable } from "@/app/ui/data-table";
import { HashText } from "@/app/ui/hash-text";
import { takeFocus } from "@/app/ui/hooks";
import { Fact, FactList, Section } from "@/app/ui/section";
import { Instant, useTimeZone } from "@/app/ui/time";
import { HOLDER_REFERENCE_PATTERN, sortedMetadata } from "@/terms/batch-terms";
import { findingsOf, paysAgain, whyUnusual } from "@/terms/finding-text";
import { isOdd } from "@/terms/findings";
import { formatDuration } from "@/terms/output-text";
import { isTicked, OtherPayments, Tick, useOtherPayments } from "./other-payments";
import { forecastFunds, idOfPart, isInUse, isStored, type PartState, type Plan, usePlanRun } from "./plan";

interface PlanProps {
  plan: Plan;
  states: readonly PartState[];
}

/** @param sent hides the forecast */
function PlanFacts({ plan, states, sent }: PlanProps & { sent: boolean }) {
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
      <Fact name="Read as">
        <span className="wrap-anywhere flex flex-col">
          <span>{plan.readAs}</span>
          {plan.notes.map((note) => (
            <span key={note} className={plan.doubts.includes(note) ? "text-overdue" : undefined}>
              {note}
            </span>
          ))}
        </span>
      </Fact>
      <Fact name="Transfers">{formatCount(plan.rowCount)}</Fact>
      <Fact name={`Total (${TYPE_LABELS[plan.pointType]})`}>
        <Amount value={plan.points} wraps className="font-medium" />
      </Fact>
      <Fact name={`Due (${zone})`}>
        {due[0] ? (
          <span>
            <Instant at={due[0]} />
            {!sent && stored === 0 && <span className="text-muted"> if submitted now</span>}
            {!sent && stored > 0 && stored < states.length && (
              <span className="text-muted">
                , and the rest <Instant at={due.at(-1)!} /> if submitted now
              </span>
            )}
            {!sent && plan.parts[1] && <span className="text-muted">, or once released if later</span>}
          </span>
        ) : (
          `${formatDuration(plan.secondsToFinalize)} after submission`
        )}
        <ShortWaitNote seconds={plan.secondsToFinalize} />
      </Fact>
      {sortedMetadata(plan.metadata).map(([key, value]) => (
        <Fact key={key} name={key}>
          <span className="wrap-anywhere">{value}</span>
        </Fact>
      ))}
      {funds &&
        [
          ["Available now", funds.before],
          funds.shortfall === "0" ? ["Available after", funds.after] : ["Missing", funds.shortfall],
          ...(plan.issuance === "ON_DEMAND" ? [["To be issued", funds.issued]] : []),
        ].map(([name = "", value = ""]) => (
          <Fact key={name} name={name}>
            <Amount value={value} wraps />
          </Fact>
        ))}
    </FactList>
  );
}

const LOOKS = {
  waiting: { label: "Not submitted", tone: "cancelled", icon: Circle },
  trying: { label: "Checking", tone: "finalizing", icon: LoaderCircle },
  ready: { label: "Ready", tone: "pending", icon: Check },
  sending: { label: "Submitting", tone: "finalizing", icon: LoaderCircle },
  stored: { label: "Submitted", tone: "finalized", icon: CircleCheck },
  unconfirmed: { label: "Not confirmed", tone: "overdue", icon: CircleHelp },
  refused: { label: "Rejected", tone: "danger", icon: Ban },
} as const satisfies Record<PartState["kind"], ComponentProps<typeof Badge>>;

function PartsList({ plan, states }: PlanProps) {
  const { contractAddress, pointType } = plan;
  const rows = states.map((state, part) => ({ state, id: idOfPart(plan, part), ...plan.parts[part]! }));
  return (
    <DataTable
      label="Batches to submit"
      className="card max-h-[480px] overflow-y-auto"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: "Batch ID",
          render: ({ state, id }) =>
            state.kind === "stored" || (state.kind === "refused" && state.stored) ? (
              <BatchIdLink contractAddress={contractAddress} id={id} />
            ) : (
              <span className="break-all mono">{id}</span>
            ),
        },
        { name: "Transfers", right: true, render: (part) => formatCount(part.count) },
        amountColumn(`Amount (${TYPE_LABELS[pointType]})`, rows, ({ points }) => points),
        {
          name: "Status",
          render: ({ state }) => <PartStatus state={state} plan={plan} />,
        },
      ]}
    />
  );
}

function PartStatus({ state, plan }: { state: PartState; plan: Plan }) {
  const { label, tone, icon } = LOOKS[state.kind];
  const before = state.kind === "stored" && state.before && "Already submitted";
  const shown = before || (isInUse(state) ? "ID in use" : label);
  return (
    <span>
      <Badge tone={tone} icon={icon} spin={icon === LoaderCircle} label={shown} />
      {state.kind === "unconfirmed" && <p className="hint">Sending again is safe.</p>}
      {state.kind === "refused" &&
        (state.problem.code === "reference_already_paid" ? (
          <PaidReferences problem={state.problem} plan={plan} />
        ) : (
          <p className="text-danger text-label">{state.problem.detail}</p>
        ))}
    </span>
  );
}

const SHOWN_MAX = 10;

function PaidReferences({ problem, plan }: { problem: ShownProblem; plan: Plan }) {
  const { errors = [], errorCount = errors.length } = problem;
  const isOfHolders = errors.every(({ reference = "" }) => HOLDER_REFERENCE_PATTERN.test(reference));
  return (
    <div className="text-label">
      <p className="text-danger">
        {isOfHolders
          ? `${plan.contractLabel} has already paid ${formatCount(errorCount)} of these holders, or will.`
          : `${counted(errorCount, "reference is", "references are")} already paid, or about to be. ` +
            `Remove ${errorCount === 1 ? "its row" : "their rows"} from the file.`}
      </p>
      <ul>
        {errors.slice(0, SHOWN_MAX).map(({ reference, batchId = "" }) => (
          <li key={reference} className="break-all">
            <span className="font-mono">{reference}</span> by{" "}
            <BatchIdLink contractAddress={plan.contractAddress} id={batchId} />
          </li>
        ))}
      </ul>
      {errorCount > SHOWN_MAX && <p className="text-muted">and {formatCount(errorCount - SHOWN_MAX)} more</p>}
    </div>
  );
}

/** The findings of the dry run. What pays again, and what else is unusual, is confirmed apart. */
function PlanReview({ plan, states }: PlanProps) {
  const reviews = states.flatMap((state, part) =>
    state.kind === "ready" && state.review ? [{ part, review: state.review }] : [],
  );
  const [first] = reviews;
  if (!first) return null;
  const { total } = first.review;
  // What is unusual about the whole payout is said once, not of each of its batches.
  const whole = total.isOfPayout && isOdd(total.level) ? { total } : null;
  const own = reviews.map(({ part, review: { total: each, ...others } }) => ({
    part,
    review: whole ? others : { ...others, total: each },
  }));
  const again = own.filter(({ review }) => paysAgain(review));
  const odd = [...again, ...own.filter((one) => whyUnusual(one.review) && !again.includes(one))];
  const shown = plan.parts.length === 1 ? own : odd.slice(0, SHOWN_MAX);
  const hasOther =
    whole ||
    odd.some((one) => !again.includes(one) || findingsOf(one.review).some(({ level }) => isOdd(level)));
  return (
    <Section title="Review" note={comparisonText(first.review, plan.pointType)}>
      <div className="card flex flex-col px-4 py-1">
        {whole && <Findings review={whole} contractAddress={plan.contractAddress} />}
        {shown.map(({ part, review }) => (
          <div key={part}>
            {plan.parts.length > 1 && (
              <h3 className="break-all pt-2 mono text-muted">{idOfPart(plan, part)}</h3>
            )}
            <Findings
              review={review}
              contractAddress={plan.contractAddress}
              onlyOdd={plan.parts.length > 1}
            />
          </div>
        ))}
        {shown.length === 0 && !whole && (
          <p className="py-2 text-table">Nothing unusual in {batchesOf(reviews.length)}.</p>
        )}
        {odd.length > shown.length && (
          <p className="py-2 text-muted text-table">
            {counted(odd.length - shown.length, "more batch is", "more batches are")} unusual.
          </p>
        )}
      </div>
      {again.length > 0 && <Tick>Pay the same transfers a second time</Tick>}
      {hasOther && <Tick>I have checked {again.length > 0 ? "the rest" : "this"}</Tick>}
    </Section>
  );
}

export default function PlanView({ plan, onBack }: { plan: Plan; onBack: () => void }) {
  const run = usePlanRun(plan);
  const ticks = useRef<HTMLDivElement>(null);
  const payments = useOtherPayments(plan);
  const { phase, states, problem, hasSent, isChanged, before, list, conflict, waiting } = run;
  const stored = states.filter(isStored).length;
  const count = plan.parts.length;
  const left = count - stored;
  // A page with what was submitted is about to open.
  const isDone = phase === "done";
  const isSending = phase === "sending" || isDone;
  const isTrying = phase === "trying" || (isSending && !hasSent);
  const isBusy = phase === "trying" || isSending;
  // An earlier submit did everything.
  const isOver = before !== null && (count === 1 || waiting === 0);
  const submitted =
    stored > 0 || hasSent ? `${formatCount(stored)} of ${batchesOf(count)} submitted` : "Not submitted yet";
  useLeaveWarning(!isDone && (left > 0 || isSending), `${submitted}. Leave this page?`);
  useWayBack(onBack, isSending);

  const tried = states.filter(({ kind }) => kind !== "waiting" && kind !== "trying").length;
  const shortfall = forecastFunds(plan, states)?.shortfall ?? "0";
  const refused = states.some(({ kind }) => kind === "refused");
  const isTried = states.every(({ kind }) => kind === "ready" || kind === "stored");
  // What was confirmed may continue after a failure; before that, every part must have passed the dry run.
  const changed = phase === "ready" && list?.isChanged ? list : null;
  const isReady = phase === "ready" ? isTried && changed?.mayContinue !== false : hasSent;
  const maySend = payments.isSuccess && isReady && !isBusy && shortfall === "0";
  return (
    <div className="flex flex-col gap-5">
      <h2 ref={takeFocus} tabIndex={-1} className="font-semibold text-body outline-none">
        {isOver ? "Already submitted" : isSending ? "Submitting" : submitted}
      </h2>
      <PlanFacts plan={plan} states={states} sent={hasSent || isOver} />
      {conflict && !isBusy && <Alert title={conflict.title}>{conflict.text}</Alert>}
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
      {!isBusy && (isOver || (count > 1 && !conflict)) && (
        <p className="text-table">
          {before}{" "}
          {!isOver &&
            "Batches stay on hold and are not paid until all are submitted. Then they are released " +
              "together, and those that are due are finalized within seconds, unless they await approval. "}
          {!hasSent && list?.isChanged === false && `${list.text} `}
          {!isOver && stored > 0 && <TextLink href={run.path}>View or cancel the payout</TextLink>}
        </p>
      )}
      <PartsList plan={plan} states={states} />
      {isChanged && (
        <Alert title="The review has changed">
          The rows were checked again, and something new was found. Look at the review, then submit.
        </Alert>
      )}
      {states.some((state) => state.kind === "ready" && state.awaitsApproval) && (
        <p className="note bg-held-ground text-held">
          {count > 1 ? "The whole payout awaits" : "The batch awaits"} approval: the contract has a rule for
          it. Nothing is paid until another person approves {count > 1 ? "its batches" : "it"}.
        </p>
      )}
      <div ref={ticks} className="contents">
        {changed && <Alert title="This list has changed">{changed.text}</Alert>}
        {changed?.mayContinue && <Tick key={changed.text}>Submit the other rows as they are now</Tick>}
        {!isSending && !isOver && <OtherPayments query={payments} />}
        {phase === "ready" && plan.doubts.length > 0 && <Tick>I have checked what is in doubt</Tick>}
        {phase === "ready" && <PlanReview plan={plan} states={states} />}
      </div>
      {isBusy && (
        <div role="status" className="flex flex-col gap-2">
          <p className="text-table tabular-nums">
            {isTrying
              ? `Checking: ${tried} of ${batchesOf(count)}. Nothing is submitted yet.`
              : `${stored} of ${batchesOf(count)} submitted` +
                `${count > 1 ? " on hold. Nothing is paid until all are" : ""}.`}
          </p>
          <progress
            aria-label={isTrying ? "Batches checked" : "Batches submitted"}
            value={isTrying ? tried : stored}
            max={count}
            className="h-1.5 w-full"
          />
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {!isSending && (
          <Button size="large" icon={ArrowLeft} className="mr-auto" onClick={() => history.back()}>
            Back
          </Button>
        )}
        {!isBusy && (refused || shortfall !== "0" || phase === "failed") && (
          <Button size="large" icon={RotateCw} onClick={() => void run.tryOut()}>
            Check again
          </Button>
        )}
        {isOver || (conflict && !isBusy) ? (
          <ButtonLink variant="primary" size="large" href={run.path}>
            View the {run.path.startsWith("/batches/") ? "batch" : "payout"}
          </ButtonLink>
        ) : (
          <Button
            variant="primary"
            size="large"
            busy={isSending}
            disabled={!maySend && !isSending}
            onClick={() => isTicked(ticks.current) && void run.send()}
          >
            {sendLabel(count, left, waiting, hasSent && !isSending)}
          </Button>
        )}
      </div>
    </div>
  );
}

function sendLabel(count: number, left: number, waiting: number, isRetry: boolean): string {
  if (left === 0 && count > 1) return `Release ${batchesOf(waiting)}`;
  if (!isRetry) return `Submit ${batchesOf(left || 1)}`;
  return `Submit ${formatCount(left)} remaining ${left === 1 ? "batch" : "batches"}`;
}
