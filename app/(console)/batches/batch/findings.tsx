import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import {
  type BatchReview,
  type ComparedAmount,
  isOdd,
  type Level,
  type Repeat,
} from "@/server/batches/list/findings";
import { Amount } from "../../../ui/amount";
import { batchPath } from "../paths";
import { recipientSummary, shareSummary } from "./finding-words";

interface FindingsProps {
  review: BatchReview;
  contractAddress: string;
  /** Leaves out what needs no check. */
  onlyOdd?: boolean;
}

/** The findings of a review as list items. */
export function Findings({ review, contractAddress, onlyOdd = false }: FindingsProps) {
  const { repeats, total, largestTransfer, recipients, share } = review;
  const findings: [string, Level, ReactNode][] = [
    [
      "repeats",
      repeats.level,
      <Repeats key="" batches={repeats.batches} contractAddress={contractAddress} />,
    ],
    ["total", total.level, <Compared key="" what="The total" {...total} />],
    ["largest", largestTransfer.level, <Compared key="" what="The largest transfer" {...largestTransfer} />],
    ["recipients", recipients.level, recipientSummary(recipients)],
  ];
  if (share) findings.push(["share", share.level, shareSummary(share)]);
  return findings
    .filter(([, level]) => !onlyOdd || isOdd(level))
    .map(([name, level, text]) => (
      <Finding key={name} level={level}>
        {text}
      </Finding>
    ));
}

function Repeats({ batches, contractAddress }: { batches: readonly Repeat[]; contractAddress: string }) {
  if (batches.length === 0) return "No earlier batch has the same content.";
  return (
    <>
      The same content was submitted before:{" "}
      {batches.map(({ id, status, cancelReason, cancelledBy, isCorrected }, at) => (
        <span key={id}>
          {at > 0 && "; "}
          {isCorrected && "this is the correction of "}
          <Link
            href={batchPath({ contractAddress, id })}
            className="break-all font-mono text-accent text-mono underline-offset-2 hover:underline"
          >
            {id}
          </Link>
          {status === "CANCELLED"
            ? `, cancelled by ${cancelledBy?.replace(/^staff:/, "")}${cancelReason ? `: “${cancelReason}”` : ""}`
            : ""}
        </span>
      ))}
      .
    </>
  );
}

function Compared({ what, points, usual, times, level, isRecord }: ComparedAmount & { what: string }) {
  return (
    <>
      {what} is <Amount value={points} />
      {isOdd(level) && `, ${times} times the usual`}
      {level === "expected" && ", as usual"}
      {level === "notable" && usual && (isRecord ? ", larger than ever before" : ", larger than usual")}.
      {usual && (
        <span className="text-muted">
          {" "}
          Median <Amount value={usual.median} />, 95% up to <Amount value={usual.p95} />, largest{" "}
          <Amount value={usual.max} />.
        </span>
      )}
    </>
  );
}

const LOOKS = {
  expected: { icon: CircleCheck, color: "text-finalized", label: "" },
  notable: { icon: Info, color: "text-muted", label: "" },
  unusual: { icon: TriangleAlert, color: "text-overdue", label: "Unusual: " },
  alarming: { icon: CircleAlert, color: "text-danger", label: "Very unusual: " },
} as const satisfies Record<Level, { icon: LucideIcon; color: string; label: string }>;

function Finding({ level, children }: { level: Level; children: ReactNode }) {
  const { icon: Icon, color, label } = LOOKS[level];
  return (
    <li className="flex items-start gap-3 border-line border-b py-2 text-table last:border-b-0">
      <Icon aria-hidden size={14} className={`mt-[3px] shrink-0 ${color}`} />
      <span className="min-w-0">
        {label && <span className={`font-medium ${color}`}>{label}</span>}
        {children}
      </span>
    </li>
  );
}
