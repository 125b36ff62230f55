import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import {
  type BatchReview,
  type ComparedAmount,
  isOdd,
  type Level,
  type Repeat,
  repeatWords,
} from "@/server/batches/list/findings";
import { Amount } from "../../../ui/amount";
import { personName } from "../caller-names";
import { BatchIdLink } from "./batch-id-link";
import { Differences } from "./differences";
import { amountSummary, recipientSummary, shareSummary } from "./finding-words";

const WRAPS = "whitespace-normal!";

interface FindingsProps {
  review: BatchReview;
  contractAddress: string;
  /** A stored batch, which can be compared with those that it repeats. */
  batchId?: string;
  /** Leaves out what needs no check. */
  onlyOdd?: boolean;
}

/** The findings of a review as list items. */
export function Findings({ review, contractAddress, batchId, onlyOdd = false }: FindingsProps) {
  const { repeats, total, largestTransfer, recipients, share } = review;
  const finding = (level: Level, text: ReactNode) =>
    (!onlyOdd || isOdd(level)) && <Finding level={level}>{text}</Finding>;
  return (
    <>
      {finding(
        repeats.level,
        <Repeats
          batches={repeats.batches}
          total={recipients.total}
          contractAddress={contractAddress}
          batchId={batchId}
        />,
      )}
      {finding(total.level, <Compared what="The total" amount={total} />)}
      {finding(largestTransfer.level, <Compared what="The largest transfer" amount={largestTransfer} />)}
      {finding(recipients.level, recipientSummary(recipients))}
      {share && finding(share.level, shareSummary(share))}
    </>
  );
}

interface RepeatsProps {
  batches: readonly Repeat[];
  /** The transfers of the reviewed batch. */
  total: number;
  contractAddress: string;
  batchId: string | undefined;
}

function Repeats({ batches, total, contractAddress, batchId }: RepeatsProps) {
  if (batches.length === 0)
    return total === 1
      ? "No earlier batch has the same transfer."
      : "No earlier batch has the same transfers, and no unfinished or recent one has most of them.";
  return (
    <>
      {batches.map((batch) => {
        const { id, status, cancelReason, cancelledBy, isCorrected, shared } = batch;
        const { before, after } = repeatWords(batch, total);
        return (
          <div key={id}>
            {before}
            <BatchIdLink contractAddress={contractAddress} id={id} />
            {after}
            {isCorrected && ", which it corrects"}
            {status === "CANCELLED" && `, cancelled by ${personName(cancelledBy ?? "")}`}
            {cancelReason && `: “${cancelReason}”`}.
            {batchId !== undefined && shared !== undefined && (
              <Differences batchKey={{ contractAddress, batchId }} withId={id} />
            )}
          </div>
        );
      })}
      {batches.some(({ id }) => SERVICE_ID.test(id)) &&
        "The service chose the ID: a POST that is sent again makes a new batch each time."}
    </>
  );
}

/** A UUIDv7, as the service generates for a POST. */
const SERVICE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function Compared({ what, amount }: { what: string; amount: ComparedAmount }) {
  const { usual } = amount;
  return (
    <>
      {amountSummary(what, amount)}
      {usual && (
        <span className="text-muted">
          {" "}
          Median <Amount value={usual.median} className={WRAPS} />, 95% up to{" "}
          <Amount value={usual.p95} className={WRAPS} />, largest{" "}
          <Amount value={usual.max} className={WRAPS} />.
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
      <div className="wrap-anywhere min-w-0 flex-1">
        {label && <span className={`font-medium ${color}`}>{label}</span>}
        {children}
      </div>
    </li>
  );
}
