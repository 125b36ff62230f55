import type { ReactNode } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import { Amount } from "../../../ui/amount";
import { transfersOf } from "../count-words";
import { TYPE_LABELS } from "../status";
import { WillBeFinalized } from "../status-badge";

export type Decision = "cancel" | "hold" | "release" | "approve" | "reject";

interface WhatProps {
  batch: ConsoleBatchDetail;
}

interface DecisionTexts {
  title: string;
  /** Explains what happens. */
  what: (props: WhatProps) => ReactNode;
  confirm: string;
  /** Closes the dialog. */
  keep: string;
  /** Follows the batch ID. */
  done: string;
  /** Someone else has changed the batch since. */
  late: string;
  isDanger?: boolean;
}

export const DECISIONS: Record<Decision, DecisionTexts> = {
  cancel: {
    title: "Cancel this batch?",
    what: Cancelling,
    confirm: "Cancel batch",
    keep: "Keep batch",
    done: "cancelled",
    late: "Too late to cancel",
    isDanger: true,
  },
  hold: {
    title: "Put this batch on hold?",
    what: Holding,
    confirm: "Put on hold",
    keep: "Keep pending",
    done: "put on hold",
    late: "Too late to put on hold",
  },
  release: {
    title: "Release this batch?",
    what: Releasing,
    confirm: "Release batch",
    keep: "Keep on hold",
    done: "released",
    late: "Could not release the batch",
  },
  approve: {
    title: "Approve this batch?",
    what: Approving,
    confirm: "Approve batch",
    keep: "Not now",
    done: "approved",
    late: "Could not approve the batch",
  },
  reject: {
    title: "Reject this batch?",
    what: Cancelling,
    confirm: "Reject batch",
    keep: "Not now",
    done: "rejected",
    late: "Too late to reject",
    isDanger: true,
  },
};

function Cancelling({ batch }: WhatProps): ReactNode {
  const transfers = batch.transferCount === 1 ? "transfer" : transfersOf(batch.transferCount);
  return (
    <>
      <p>
        Its {transfers} will not be {batch.reverses ? "taken back" : "made"}, and{" "}
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
