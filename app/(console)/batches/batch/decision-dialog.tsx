import type { ReactNode } from "react";
import { keyOf } from "@/app/(console)/batch-key";
import { ACTION_WORDS } from "@/app/(console)/batches/bulk-words";
import { TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { WillBeFinalized } from "@/app/(console)/batches/status-badge";
import { useChange, useTRPC, useTRPCClient } from "@/app/data/trpc";
import { Amount } from "@/app/ui/amount";
import { MutationDialog, ReasonField } from "@/app/ui/dialogs";
import { textOf } from "@/app/ui/fields";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";

export type Decision = "cancel" | "hold" | "release" | "approve" | "reject";

interface WhatProps {
  batch: ConsoleBatchDetail;
}

const STAYS_ON_HOLD = "The release of its payout will leave it on hold.";

const WHAT: Record<Decision, (props: WhatProps) => ReactNode> = {
  cancel: Cancelling,
  hold: ({ batch }) => <p>{batch.heldForPayout ? STAYS_ON_HOLD : ACTION_WORDS.hold.what}</p>,
  release: Releasing,
  approve: Approving,
  reject: Cancelling,
};

const WORDS = { ...ACTION_WORDS, reject: { done: "rejected", confirm: (whom: string) => `Reject ${whom}` } };

function Cancelling({ batch }: WhatProps): ReactNode {
  const transfers = batch.transferCount === 1 ? "transfer" : transfersOf(batch.transferCount);
  return (
    <p>
      Its {transfers} will not be {batch.reverses ? "taken back" : "made"}, and{" "}
      <Amount value={batch.points} className="font-medium text-text" /> {TYPE_LABELS[batch.pointType]}{" "}
      {batch.reverses ? "will stay with the recipients" : "will be returned to the contract"}. This cannot be
      undone.
    </p>
  );
}

function Releasing({ batch }: WhatProps): ReactNode {
  return (
    <>
      {batch.holdReason && <p className="wrap-anywhere mb-1.5">Reason for the hold: {batch.holdReason}</p>}
      <p>
        It returns to its original schedule and will be finalized{" "}
        <WillBeFinalized batch={{ ...batch, heldAt: null }} />.
      </p>
    </>
  );
}

function Approving({ batch }: WhatProps): ReactNode {
  if (batch.heldAt) return <p>It stays on hold until someone releases it.</p>;
  return (
    <p>
      It will be finalized <WillBeFinalized batch={{ ...batch, awaitsApproval: false }} />. This cannot be
      undone.
    </p>
  );
}

interface DecisionDialogProps extends WhatProps {
  decision: Decision;
  close: () => void;
}

export default function DecisionDialog({ decision, batch, close }: DecisionDialogProps) {
  const What = WHAT[decision];
  const words = WORDS[decision];
  const { alerts, batches } = useTRPC().console;
  const stale = [alerts, batches.get, batches.refresh, batches.facets].map((read) => read.pathFilter());
  const changed = useChange(stale, close);
  const client = useTRPCClient().console.batches;
  return (
    <MutationDialog
      title={`${words.confirm("this batch")}?`}
      description={
        <>
          <p className="wrap-anywhere mb-1.5 text-text">
            <span className="font-medium mono">{batch.id}</span> from {batch.contractLabel}
          </p>
          <What batch={batch} />
        </>
      }
      options={{
        mutationFn: (reason: string) => client[decision].mutate({ ...keyOf(batch), reason }),
        ...changed(`Batch ${batch.id} ${words.done}`),
      }}
      close={close}
      cancel="Not now"
      submit={decision === "hold" ? "Put on hold" : words.confirm("batch")}
      danger={What === Cancelling}
      inputOf={(form) => textOf(form, "reason")}
    >
      <ReasonField hint="Required. Shown in the timeline and the audit log." autoFocus />
    </MutationDialog>
  );
}
