"use client";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { useReason } from "@/app/(console)/batches/reason-field";
import { batchesOf, TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { WillBeFinalized } from "@/app/(console)/batches/status-badge";
import { useChange, useTRPC, useTRPCClient } from "@/app/data/trpc";
import { Amount, counted } from "@/app/ui/amount";
import { ChangeDialog } from "@/app/ui/dialogs";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";
import { decideEach } from "./decide-each";

export type Decision = "cancel" | "hold" | "release" | "approve" | "reject";

interface WhatProps {
  batch: ConsoleBatchDetail;
}

interface DecisionTexts {
  title: string;
  what: (props: WhatProps) => ReactNode;
  confirm: string;
  /** Follows the batch ID. */
  done: string;
}

const DECISIONS: Record<Decision, DecisionTexts> = {
  cancel: { title: "Cancel this batch?", what: Cancelling, confirm: "Cancel batch", done: "cancelled" },
  hold: { title: "Put this batch on hold?", what: Holding, confirm: "Put on hold", done: "put on hold" },
  release: { title: "Release this batch?", what: Releasing, confirm: "Release batch", done: "released" },
  approve: { title: "Approve this batch?", what: Approving, confirm: "Approve batch", done: "approved" },
  reject: { title: "Reject this batch?", what: Cancelling, confirm: "Reject batch", done: "rejected" },
};

function Cancelling({ batch }: WhatProps): ReactNode {
  const transfers = batch.transferCount === 1 ? "transfer" : transfersOf(batch.transferCount);
  return (
    <>
      <p>
        Its {transfers} will not be {batch.reverses ? "taken back" : "made"}, and{" "}
        <Amount value={batch.points} className="font-medium text-text" /> {TYPE_LABELS[batch.pointType]}{" "}
        {batch.reverses ? "will stay with the recipients" : "will be returned to the contract"}. This cannot
        be undone.
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

interface DecisionDialogProps {
  decision: Decision;
  /** With others, its amount and transfers are those of all. */
  batch: ConsoleBatchDetail;
  /** Other batches of its payout that are decided with it. */
  others?: readonly string[];
  /** In the title, where the page does not say it. */
  whose?: string;
  close: () => void;
}

export default function DecisionDialog(props: DecisionDialogProps) {
  const { decision, batch, others = [], close } = props;
  const texts = DECISIONS[decision];
  const count = batchesOf(1 + others.length);
  const { whose = others.length > 0 ? count : "this batch" } = props;
  const { reasonField, readReason } = useReason("Required. Shown in the timeline and the audit log.");
  const { contractAddress } = batch;
  const { alerts, batches } = useTRPC().console;
  const client = useTRPCClient();
  const changed = useChange(
    [
      alerts.pathFilter(),
      batches.get.queryFilter(),
      batches.refresh.queryFilter(),
      batches.facets.pathFilter(),
    ],
    close,
  );
  // After an error, those that are decided are not decided again.
  const left = useRef(new Set([batch.id, ...others]));
  const decide = useMutation({
    mutationFn: (reason: string) =>
      decideEach(left.current, (batchId) =>
        client.console.batches[decision].mutate({ contractAddress, batchId, reason }),
      ),
    ...changed(`${others.length > 0 ? count : `Batch ${batch.id}`} ${texts.done}`),
  });
  const submit = () => {
    const reason = readReason();
    if (reason !== null) decide.mutate(reason);
  };
  return (
    <ChangeDialog
      title={texts.title.replace("this batch", whose)}
      description={
        <>
          <p className="wrap-anywhere mb-1.5 text-text">
            <span className="font-medium mono">{batch.id}</span> from {batch.contractLabel}
            {others.length > 0 &&
              `, with ${counted(others.length, "more batch", "more batches")} of its payout`}
          </p>
          <texts.what batch={batch} />
        </>
      }
      change={decide}
      close={close}
      cancel="Not now"
      submit={others.length > 0 ? texts.confirm.replace("batch", count) : texts.confirm}
      danger={texts.what === Cancelling}
      onSubmit={submit}
    >
      {reasonField}
    </ChangeDialog>
  );
}
