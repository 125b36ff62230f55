"use client";
import { Ban, Circle, CircleCheck, CirclePause, Clock, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { batchesOf, personName } from "@/app/(console)/batches/status";
import { formatCount } from "@/app/ui/amount";
import { classNames } from "@/app/ui/class-names";
import { Instant, useServerNow } from "@/app/ui/time";
import type { ConsolePayout } from "@/server/payouts/schema";
import { formatDuration } from "@/terms/output-text";
import { partsOf } from "./payout-badge";

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
  const nowMs = useServerNow(payout.now);
  return (
    <ol aria-label="Progress" className="card grid gap-x-4 gap-y-3 p-4 @lg:grid-cols-2 @3xl:grid-cols-5">
      {stepsOf(payout, nowMs).map(({ look, title, detail }) => {
        const { icon: Icon, color, word } = LOOKS[look];
        return (
          <li key={title} className="flex min-w-0 items-start gap-2 text-table">
            <Icon size={15} className={classNames("mt-0.5 shrink-0", color)} />
            <span className="wraps flex flex-col">
              <span className={classNames("font-medium", look === "later" && "text-muted")}>
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

function stepsOf(payout: ConsolePayout, nowMs: number): Step[] {
  const { counts, stored, partCount, missingParts, submittedBy, firstSubmittedAt, checked, status } = payout;
  const all = partsOf(payout);
  // Batches of `/v1` with the same payout ID are stored too, but are no part of a file.
  const isWhole = missingParts.length === 0;
  const isOpen = status === "PENDING";
  const stops = [
    counts.onHold > 0 && `${batchesOf(counts.onHold)} on hold${whyHeld(payout)}`,
    counts.awaitingApproval > 0 && `${batchesOf(counts.awaitingApproval)} awaiting approval`,
  ].filter((stop) => stop !== false);
  const [paid, total, what] = paidOf(payout);
  return [
    {
      look: "done",
      title: partCount === null ? "Submitted" : "Checked",
      detail: (
        <>
          by {submittedBy.map(personName).join(", ")},{" "}
          <Instant at={firstSubmittedAt} className="whitespace-nowrap" />
        </>
      ),
    },
    {
      look: isWhole ? "done" : "stopped",
      title: `Stored ${formatCount(stored)} of ${formatCount(all)}`,
      detail: isWhole ? `${batchesOf(all)}, all stored` : "The upload was interrupted",
    },
    stops.length > 0
      ? {
          look: "stopped",
          title: counts.onHold > 0 ? "On hold" : "Awaiting approval",
          detail: stops.join(", "),
        }
      : {
          look: isWhole ? "done" : "later",
          title: "Released",
          detail: checked ? `by ${personName(checked.by)}` : "Nothing is on hold",
        },
    {
      look: !isOpen ? "done" : stops.length > 0 || !isWhole ? "later" : "next",
      title: "Due",
      detail: <Due payout={payout} nowMs={nowMs} />,
    },
    {
      look: isOpen || !isWhole ? "later" : paid === total ? "done" : "failed",
      title: `Paid ${formatCount(paid)} of ${formatCount(total)}`,
      detail: isOpen || !payout.lastFinalizedAt ? what : <Instant at={payout.lastFinalizedAt} />,
    },
  ];
}

/** Only what is the reason of all of them. */
function whyHeld({ parts }: ConsolePayout): string {
  const held = parts.filter(({ heldAt, heldForPayout, heldApart }) => heldAt && heldForPayout === heldApart);
  const [reason, ...others] = new Set(held.map(({ holdReason }) => holdReason));
  return reason && others.length === 0 ? `: “${reason}”` : "";
}

/** In transfers; of more batches than the page lists, in batches. */
function paidOf({ parts, stored, counts, transferCount }: ConsolePayout): [paid: number, of: number, string] {
  if (stored > parts.length) return [counts.finalized, stored, "batches"];
  const paid = parts.filter(({ status }) => status === "FINALIZED");
  return [paid.reduce((sum, part) => sum + part.transferCount, 0), transferCount, "transfers"];
}

/** Parts that are stored one after the other are due in that order. Less is no news. */
const ONE_TIME_MS = 60_000;

function Due({ payout, nowMs }: { payout: ConsolePayout; nowMs: number }) {
  const { firstDueAt, lastDueAt, status } = payout;
  if (!firstDueAt || !lastDueAt) return "Everything was cancelled";
  const secondsLeft = Math.ceil((Date.parse(firstDueAt) - nowMs) / 1000);
  return (
    <>
      <Instant at={firstDueAt} />
      {Date.parse(lastDueAt) - Date.parse(firstDueAt) >= ONE_TIME_MS && (
        <>
          {" to "}
          <Instant at={lastDueAt} />
        </>
      )}
      {status === "PENDING" && secondsLeft > 0 && (
        <span className="block">in {formatDuration(secondsLeft)}</span>
      )}
    </>
  );
}
