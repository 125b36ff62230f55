import { clsx } from "clsx";
import { Ban, Circle, CircleCheck, CirclePause, Clock, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { batchesOf, personName, TYPE_LABELS } from "@/app/(console)/batches/status";
import { formatAmount, formatCount } from "@/app/ui/amount";
import { Instant, useServerNow } from "@/app/ui/time";
import type { ConsolePayout } from "@/server/payouts/read-payout";
import type { PayoutAmounts } from "@/server/payouts/schema";
import { formatDuration } from "@/terms/output-text";
import { formatPoints, parseSum } from "@/terms/points";
import { missingOf } from "./payout-badge";

const LOOKS = {
  done: { icon: CircleCheck, color: "text-finalized", word: "Done" },
  next: { icon: Clock, color: "text-pending", word: "Next" },
  stopped: { icon: CirclePause, color: "text-held", word: "Stopped" },
  failed: { icon: Ban, color: "text-danger", word: "Failed" },
  later: { icon: Circle, color: "text-muted", word: "Later" },
} as const satisfies Record<string, { icon: LucideIcon; color: string; word: string }>;

interface Step {
  look: keyof typeof LOOKS;
  title: string;
  detail: ReactNode;
}

/** From the person who checked it to the last recipient paid. */
export function PayoutSteps({ payout }: { payout: ConsolePayout }) {
  const steps = stepsOf(payout, useServerNow());
  return (
    <ol
      aria-label="Progress"
      className="card grid gap-x-4 gap-y-3 p-4 @lg:grid-cols-2 @3xl:grid-cols-3 @5xl:auto-cols-fr
        @5xl:grid-flow-col @5xl:grid-cols-none"
    >
      {steps.map(({ look, title, detail }) => {
        const { icon: Icon, color, word } = LOOKS[look];
        return (
          <li key={title} className="flex min-w-0 items-start gap-2 text-table">
            <Icon size={15} className={clsx("mt-0.5 shrink-0", color)} />
            <span className="wraps flex flex-col">
              <span className={clsx("font-medium", look === "later" && "text-muted")}>
                <span className="sr-only">{word}: </span>
                {title}
              </span>
              <span className="hint">{detail}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** What people have, of all that they will have or had, and what they do not get. */
export function headlineOf(payout: ConsolePayout, amount: PayoutAmounts): string[] {
  const { pointType, points, paid, pending, finalizing, takenBack, takingBack, notPaid } = amount;
  const stored = [paid, pending, finalizing, takenBack].reduce((sum, one) => sum + parseSum(one), 0n);
  // While batches of a file are missing, its total may not be known.
  const all = missingOf(payout) === 0 ? formatPoints(stored) : payout.listPoints;
  const share = all === null || all === paid ? "" : ` of ${formatAmount(all)}`;
  const words = [
    formatAmount(paid) + share,
    `${TYPE_LABELS[pointType]} paid`,
    all === null && points !== paid && `${formatAmount(points)} submitted`,
    takenBack !== "0" && `${formatAmount(takenBack)} taken back`,
    takingBack !== "0" && `${formatAmount(takingBack)} being taken back`,
    notPaid !== "0" && `${formatAmount(notPaid)} not paid`,
    all === null && "whole amount not known",
  ];
  return words.filter((word) => word !== false);
}

function stepsOf(payout: ConsolePayout, nowMs: number): Step[] {
  const { counts, partCount, submittedBy, firstSubmittedAt, status, amounts, lastFinalizedAt } = payout;
  // Batches of `/v1` with the same payout ID are stored too, but are no part of a file.
  const isWhole = missingOf(payout) === 0;
  const isOpen = status === "PENDING";
  const isStopped = counts.awaitingApproval > 0 || (counts.onHold > 0 && counts.onHold === counts.pending);
  const isShort = amounts.some(({ notPaid }) => notPaid !== "0");
  const stored = partCount === null ? "" : `${formatCount(payout.storedParts)} of `;
  const all = batchesOf(payout.stored - counts.cancelled + missingOf(payout));
  const soFar = counts.finalized === 0 ? "None yet" : `${formatCount(counts.finalized)} of ${all}`;
  return [
    {
      look: isWhole ? "done" : "stopped",
      title: `Submitted ${stored}${batchesOf(partCount ?? payout.stored)}`,
      detail: (
        <>
          <By by={submittedBy} at={firstSubmittedAt} />
          {!isWhole && <span className="block">Submitting was interrupted</span>}
        </>
      ),
    },
    ...releaseStep(payout),
    ...dueStep(payout, isStopped || !isWhole ? "later" : "next", nowMs),
    {
      look: isOpen ? (counts.finalized > 0 ? "next" : "later") : isShort || !isWhole ? "failed" : "done",
      title: "Paid",
      detail: isOpen ? soFar : lastFinalizedAt ? <Instant at={lastFinalizedAt} /> : "All cancelled",
    },
  ];
}

const By = ({ by, at }: { by: string | string[]; at: string }) => (
  <>
    by {[by].flat().map(personName).join(", ")}, <Instant at={at} className="whitespace-nowrap" />
  </>
);

/** What is stopped, and for a person's hold by whom, since when and why. */
function releaseStep({ counts, hold, checked }: ConsolePayout): Step[] {
  const { onHold, awaitingApproval } = counts;
  if (onHold + awaitingApproval === 0)
    return checked ? [{ look: "done", title: "Released", detail: <By {...checked} /> }] : [];
  const detail = (
    <>
      {onHold > 0 && <span className="block">{batchesOf(onHold)} on hold</span>}
      {hold && (
        <span className="block">
          <By {...hold} />: “{hold.reason}”
        </span>
      )}
      {awaitingApproval > 0 && <span className="block">{batchesOf(awaitingApproval)} awaiting approval</span>}
    </>
  );
  return [{ look: "stopped", title: onHold > 0 ? "On hold" : "Awaiting approval", detail }];
}

/** Parts that are stored one after the other are due in that order. Less is no news. */
const ONE_TIME_MS = 60_000;

/** @param look while it is pending: later if it is stopped */
function dueStep(payout: ConsolePayout, look: "next" | "later", nowMs: number): Step[] {
  const { firstDueAt, lastDueAt, status } = payout;
  if (!firstDueAt || !lastDueAt) return [];
  const isOpen = status === "PENDING";
  const secondsLeft = Math.ceil((Date.parse(firstDueAt) - nowMs) / 1000);
  const isLate = isOpen && look === "later" && secondsLeft <= 0;
  const detail = (
    <>
      <Instant at={firstDueAt} />
      {Date.parse(lastDueAt) - Date.parse(firstDueAt) >= ONE_TIME_MS && (
        <>
          {" to "}
          <Instant at={lastDueAt} />
        </>
      )}
      {isOpen && secondsLeft > 0 && <span className="block">in {formatDuration(secondsLeft)}</span>}
      {isLate && <span className="block">{formatDuration(-secondsLeft)} ago</span>}
    </>
  );
  return [{ look: isOpen ? look : "done", title: isLate ? "Was due" : "Due", detail }];
}
