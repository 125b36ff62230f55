import type { ReactNode } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import { Amount, formatAmount } from "../../../ui/amount";
import { TYPE_LABELS } from "../status";
import { WillBeFinalized } from "../status-badge";

export type Decision = "cancel" | "hold" | "release" | "approve" | "reject";

/** What is said about each decision. */
export const DECISIONS = {
  cancel: {
    title: "Cancel this batch?",
    confirm: "Cancel batch",
    keep: "Keep batch",
    done: "cancelled",
    late: "Too late to cancel",
    variant: "danger",
    what: Cancelling,
  },
  hold: {
    title: "Put this batch on hold?",
    confirm: "Put on hold",
    keep: "Keep pending",
    done: "put on hold",
    late: "Too late to put on hold",
    variant: "primary",
    what: Holding,
  },
  release: {
    title: "Release this batch?",
    confirm: "Release batch",
    keep: "Keep on hold",
    done: "released",
    late: "Could not release the batch",
    variant: "primary",
    what: Releasing,
  },
  approve: {
    title: "Approve this batch?",
    confirm: "Approve batch",
    keep: "Not now",
    done: "approved",
    late: "Could not approve the batch",
    variant: "primary",
    what: Approving,
  },
  reject: {
    title: "Reject this batch?",
    confirm: "Reject batch",
    keep: "Not now",
    done: "rejected",
    late: "Too late to reject",
    variant: "danger",
    what: Cancelling,
  },
} as const satisfies Record<Decision, object>;

interface WhatProps {
  batch: ConsoleBatchDetail;
}

function Cancelling({ batch }: WhatProps): ReactNode {
  return (
    <>
      <p>
        {batch.transferCount === 1
          ? "Its transfer"
          : `Its ${formatAmount(String(batch.transferCount))} transfers`}{" "}
        will not be {batch.reverses ? "taken back" : "made"}, and{" "}
        <Amount value={batch.points} className="font-medium text-text" /> {TYPE_LABELS[batch.pointType]} will{" "}
        {batch.reverses ? "stay with the recipients" : "be returned to the contract"}. This cannot be undone.
      </p>
      {batch.status === "PENDING" && !batch.heldAt && !batch.awaitsApproval && (
        <p className="mt-1.5">
          Otherwise it will be finalized <WillBeFinalized batch={batch} asOf={batch.now} />.
        </p>
      )}
    </>
  );
}

function Holding(): ReactNode {
  return (
    <p>
      It will not be finalized, even after its due time, until someone releases or cancels it. The contract
      still sees it as PENDING.
    </p>
  );
}

function Releasing({ batch }: WhatProps): ReactNode {
  return (
    <>
      {batch.hold && <p className="wrap-anywhere mb-1.5">Reason for the hold: {batch.hold.reason}</p>}
      <p>
        It returns to its original schedule and will be finalized{" "}
        <WillBeFinalized batch={{ ...batch, heldAt: null }} asOf={batch.now} />.
      </p>
    </>
  );
}

function Approving({ batch }: WhatProps): ReactNode {
  if (batch.heldAt) return <p>It stays on hold until someone releases it.</p>;
  return (
    <p>
      It will be finalized <WillBeFinalized batch={{ ...batch, awaitsApproval: false }} asOf={batch.now} />.
      This cannot be undone.
    </p>
  );
}
