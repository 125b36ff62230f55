import type { ApprovalNeed, ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import { Button } from "../../../ui/button";
import { personName } from "../caller-names";
import type { Decision } from "./decisions";

const NEEDS = {
  THRESHOLD: "Its total reaches the contract's approval threshold.",
  DAY: "With it, the contract’s batches of the day that nobody approved reach the daily threshold.",
  REVIEW: "Its review is still running. If it finds nothing unusual, no approval is needed.",
  UNUSUAL: "Its review found something unusual.",
  NOT_REVIEWED: "Its review failed.",
} as const satisfies Record<ApprovalNeed, string>;

interface ApprovalNoteProps {
  batch: ConsoleBatchDetail;
  isViewer: boolean;
  ask: (decision: Decision) => void;
}

/** Why the batch needs approval, and who can give it. */
export function ApprovalNote({ batch: { approval, submittedBy }, isViewer, ask }: ApprovalNoteProps) {
  if (!approval) return null;
  const mayDecide = approval.obstacle === null && !isViewer;
  return (
    <div className="wrap-anywhere flex flex-wrap items-center gap-3 rounded-control bg-held-ground px-3 py-2 text-held text-table">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">Awaiting approval</p>
        <p>
          {NEEDS[approval.need]} {approval.obstacle ?? whoDecides(submittedBy)}
        </p>
      </div>
      {mayDecide && (
        <span className="flex gap-2">
          <Button onClick={() => ask("reject")}>Reject…</Button>
          <Button variant="primary" onClick={() => ask("approve")}>
            Approve…
          </Button>
        </span>
      )}
    </div>
  );
}

const whoDecides = (submittedBy: string) =>
  submittedBy.startsWith("staff:")
    ? `Any operator or admin except ${personName(submittedBy)} can approve or reject it.`
    : `Any operator or admin ${submittedBy.startsWith("token:") ? "except the creator of its access token " : ""}can approve or reject it.`;
