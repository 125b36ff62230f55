import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { keyOf } from "@/app/(console)/batch-key";
import { BatchIdLink } from "@/app/(console)/batch-link";
import { personName, TYPE_LABELS } from "@/app/(console)/batches/status";
import { useTRPC } from "@/app/data/trpc";
import { Amount } from "@/app/ui/amount";
import { Section } from "@/app/ui/section";
import { Loaded, Skeleton } from "@/app/ui/states";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";
import type { PointType } from "@/terms/batch-terms";
import { findingsOf, paysAgain } from "@/terms/finding-text";
import { type BatchReview, isOdd, type Level, repeatWords, type StoredReview } from "@/terms/findings";

const FRESH_MS = 30_000;

/** The stored findings of its review. Without any, the batch is compared with finalized batches now. */
export function Review({ batch }: { batch: ConsoleBatchDetail }) {
  const trpc = useTRPC();
  const review = useQuery(
    trpc.console.batches.review.queryOptions(keyOf(batch), { staleTime: FRESH_MS, enabled: !batch.review }),
  );
  const found = batch.review ?? review.data;
  return (
    <Section title="Review" note={found && comparisonText(found, batch.pointType)}>
      <div className="card px-4 py-1">
        <Loaded query={{ ...review, data: found }} skeleton={<Skeleton className="my-3 h-4 w-2/3" />}>
          {(known) => <Findings review={known} contractAddress={batch.contractAddress} />}
        </Loaded>
      </div>
    </Section>
  );
}

export function comparisonText({ comparedWith }: BatchReview, pointType: PointType): string {
  const type = TYPE_LABELS[pointType];
  if (comparedWith === 0) return `The contract has no finalized ${type} batch to compare with`;
  return comparedWith === 1
    ? `Compared with the contract's only finalized ${type} batch`
    : `Compared with the contract's last ${comparedWith} finalized ${type} batches`;
}

const WRAPS = "whitespace-normal!";

interface FindingsProps {
  review: StoredReview;
  contractAddress: string;
  onlyOdd?: boolean;
}

export function Findings({ onlyOdd = false, ...props }: FindingsProps) {
  const { repeats } = props.review;
  const isShown = ({ level }: { level: Level }) => !onlyOdd || isOdd(level);
  const isAgain = paysAgain(props.review);
  return (
    <ul>
      {repeats && (isAgain || isShown(repeats)) && (
        <Finding level={isAgain ? "again" : repeats.level}>
          <Repeats {...props} />
        </Finding>
      )}
      {findingsOf(props.review)
        .filter(isShown)
        .map(({ level, text, usual }) => (
          <Finding key={text} level={level}>
            {text}
            {usual && (
              <span className="text-muted">
                {" "}
                Median <Amount value={usual.median} className={WRAPS} />, 95% up to{" "}
                <Amount value={usual.p95} className={WRAPS} />, largest{" "}
                <Amount value={usual.max} className={WRAPS} />.
              </span>
            )}
          </Finding>
        ))}
    </ul>
  );
}

function Repeats({ review, contractAddress }: FindingsProps) {
  const batches = review.repeats?.batches ?? [];
  const total = review.recipients?.total;
  if (batches.length === 0)
    return total === 1
      ? "No earlier batch has the same transfer."
      : "No earlier batch has the same transfers. No unfinished or recent batch has most of them.";
  return (
    <>
      {batches.map((batch) => {
        const { id, status, contractLabel, cancelReason, cancelledBy, isCorrected } = batch;
        const undone = status === "CANCELLED" ? "cancelled" : "all taken back";
        return (
          <div key={batch.contractAddress ?? id}>
            {repeatWords(batch, total)}
            <BatchIdLink contractAddress={batch.contractAddress ?? contractAddress} id={id} />
            {contractLabel && ` of ${contractLabel}`}
            {isCorrected && ", which it corrects"}
            {cancelledBy && `, ${undone} by ${personName(cancelledBy)}`}
            {cancelReason && `: “${cancelReason}”`}.
          </div>
        );
      })}
      {batches.some(({ id }) => SERVICE_ID.test(id)) &&
        "The service chose the ID: each POST makes a new batch."}
    </>
  );
}

/** A UUIDv7, as the service generates for a POST. */
const SERVICE_ID = /^[\da-f-]{14}7[\da-f-]{21}$/;

const LOOKS = {
  again: { icon: CircleAlert, color: "text-danger", label: "Pays again: " },
  expected: { icon: CircleCheck, color: "text-finalized", label: "" },
  notable: { icon: Info, color: "text-muted", label: "" },
  unusual: { icon: TriangleAlert, color: "text-overdue", label: "Unusual: " },
  alarming: { icon: CircleAlert, color: "text-danger", label: "Very unusual: " },
} as const satisfies Record<Level | "again", { icon: LucideIcon; color: string; label: string }>;

function Finding({ level, children }: { level: keyof typeof LOOKS; children: ReactNode }) {
  const { icon: Icon, color, label } = LOOKS[level];
  return (
    <li className="flex items-start gap-3 border-line border-b py-2 text-table last:border-b-0">
      <Icon size={14} className={`mt-[3px] shrink-0 ${color}`} />
      <div className="wraps flex-1">
        {label && <span className={`font-medium ${color}`}>{label}</span>}
        {children}
      </div>
    </li>
  );
}
