"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { BatchReview } from "@/server/batches/review/review-batch";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Amount } from "../../../ui/amount";
import { Skeleton } from "../../../ui/skeleton";
import { batchPath } from "../list-params";
import { TYPE_LABELS } from "../status";
import { recipientSummary } from "./recipient-words";
import { Section } from "./section";

/** What is unusual about a pending batch, compared with the contract's earlier ones. */
export function Review({ batch }: { batch: ConsoleBatchDetail }) {
  const key = { contractAddress: batch.contractAddress, batchId: batch.id };
  const review = useQuery(useTRPC().console.batches.review.queryOptions(key, { staleTime: 30_000 }));
  const found = review.data;
  return (
    <Section title="Review" note={found && comparisonText(found, batch)}>
      <ul className="flex flex-col rounded-card border border-line bg-surface px-4 py-1">
        {review.isPending && <Skeleton className="my-3 h-4 w-2/3" />}
        {review.isError && <li className="py-2 text-danger text-table">{problemOf(review.error).detail}</li>}
        {found && <Findings review={found} batch={batch} />}
      </ul>
    </Section>
  );
}

function comparisonText({ earlierBatches }: BatchReview, batch: ConsoleBatchDetail): string {
  const type = TYPE_LABELS[batch.pointType];
  if (earlierBatches === 0) return `First ${type} batch from this contract`;
  return earlierBatches === 1
    ? `Compared with the contract's last ${type} batch`
    : `Compared with the contract's last ${earlierBatches} ${type} batches`;
}

function Findings({ review, batch }: { review: BatchReview; batch: ConsoleBatchDetail }) {
  const { recipients, largestTransfer, total, share, sameContent } = review;
  return (
    <>
      <Finding odd={sameContent.length > 0}>
        {sameContent.length === 0 ? (
          "No earlier batch has the same content."
        ) : (
          <>
            The same content was already submitted as{" "}
            {sameContent.map((id, at) => (
              <span key={id}>
                {at > 0 && ", "}
                <Link
                  href={batchPath({ contractAddress: batch.contractAddress, id })}
                  className="break-all font-mono text-accent text-mono underline-offset-2 hover:underline"
                >
                  {id}
                </Link>
              </span>
            ))}
            .
          </>
        )}
      </Finding>
      <Compared what="The total" {...total} />
      <Compared what="The largest transfer" {...largestTransfer} />
      <Finding
        odd={recipients.new === recipients.total && recipients.total > 1 && review.earlierBatches > 0}
        neutral={recipients.new > 0}
      >
        {recipientSummary(recipients)}
      </Finding>
      {share && (
        <Finding odd={share.isLarge}>
          It uses {share.percent}% of the balance that the contract had available.
        </Finding>
      )}
    </>
  );
}

interface ComparedProps {
  what: string;
  points: string;
  before: string | null;
  isFarOut: boolean;
}

function Compared({ what, points, before, isFarOut }: ComparedProps) {
  return (
    <Finding odd={isFarOut}>
      {what} is <Amount value={points} />
      {before !== null && (
        <>
          {isFarOut ? ", at least ten times" : ";"} the previous largest{isFarOut ? " of" : " was"}{" "}
          <Amount value={before} />
        </>
      )}
      .
    </Finding>
  );
}

interface FindingProps {
  odd: boolean;
  /** Worth knowing, but neither unusual nor reassuring. */
  neutral?: boolean;
  children: ReactNode;
}

function Finding({ odd, neutral = false, children }: FindingProps) {
  const [Icon, color] = odd
    ? [TriangleAlert, "text-overdue"]
    : neutral
      ? [Info, "text-muted"]
      : [CircleCheck, "text-finalized"];
  return (
    <li className="flex items-start gap-3 border-line border-b py-2 text-table last:border-b-0">
      <Icon aria-hidden size={14} className={`mt-[3px] shrink-0 ${color}`} />
      <span className="min-w-0">
        {odd && <span className="font-medium">Unusual: </span>}
        {children}
      </span>
    </li>
  );
}
