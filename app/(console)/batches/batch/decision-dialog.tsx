"use client";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { ACTION_WORDS } from "@/app/(console)/batches/bulk-words";
import { batchesOf, TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { WillBeFinalized } from "@/app/(console)/batches/status-badge";
import { useChange, useTRPC, useTRPCClient } from "@/app/data/trpc";
import { Amount, counted } from "@/app/ui/amount";
import { ChangeDialog, ReasonField } from "@/app/ui/dialogs";
import { textOf } from "@/app/ui/fields";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";
import { decideEach } from "./decide-each";

export type Decision = "cancel" | "hold" | "release" | "approve" | "reject";

interface WhatProps {
  /** With others, its amount and transfers are those of all. */
  batch: ConsoleBatchDetail;
  count: number;
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

function Cancelling({ batch, count }: WhatProps): ReactNode {
  const transfers = batch.transferCount === 1 ? "transfer" : transfersOf(batch.transferCount);
  const whose = count === 1 ? "Its" : "Their";
  return (
    <>
      <p>
        {whose} {transfers} will not be {batch.reverses ? "taken back" : "made"}, and{" "}
        <Amount value={batch.points} className="font-medium text-text" /> {TYPE_LABELS[batch.pointType]}{" "}
        {batch.reverses ? "will stay with the recipients" : "will be returned to the contract"}. This cannot
        be undone.
      </p>
      {count === 1 && batch.status === "PENDING" && !batch.heldAt && !batch.awaitsApproval && (
        <p className="mt-1.5">
          Otherwise it will be finalized <WillBeFinalized batch={batch} asOf={batch.now} />.
        </p>
      )}
    </>
  );
}

function Holding({ count }: WhatProps): ReactNode {
  return <p>{ACTION_WORDS.hold.what(count)}</p>;
}

function Releasing({ batch, count }: WhatProps): ReactNode {
  return (
    <>
      {batch.hold && <p className="wrap-anywhere mb-1.5">Reason for the hold: {batch.hold.reason}</p>}
      {count === 1 ? (
        <p>
          It returns to its original schedule and will be finalized{" "}
          <WillBeFinalized batch={{ ...batch, heldAt: null }} asOf={batch.now} />.
        </p>
      ) : (
        <p>{ACTION_WORDS.release.what(count)}</p>
      )}
    </>
  );
}

function Approving({ batch, count }: WhatProps): ReactNode {
  if (count > 1) return <p>{ACTION_WORDS.approve.what(count)}</p>;
  if (batch.heldAt) return <p>It stays on hold until someone releases it.</p>;
  return (
    <p>
      It will be finalized <WillBeFinalized batch={{ ...batch, awaitsApproval: false }} asOf={batch.now} />.
      This cannot be undone.
    </p>
  );
}

interface DecisionDialogProps extends Pick<WhatProps, "batch"> {
  decision: Decision;
  /** Other batches of its payout that are decided with it. */
  others?: readonly string[];
  /** In the title, where the page does not say it. */
  whose?: string;
  close: () => void;
}

export default function DecisionDialog(props: DecisionDialogProps) {
  const { decision, batch, others = [], close } = props;
  const texts = DECISIONS[decision];
  const count = 1 + others.length;
  const named = (text: string) => (count > 1 ? text.replace(/(this )?batch/, batchesOf(count)) : text);
  const { whose = "this batch" } = props;
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
    ...changed(`${count > 1 ? batchesOf(count) : `Batch ${batch.id}`} ${texts.done}`),
  });
  return (
    <ChangeDialog
      title={named(texts.title).replace("this batch", whose)}
      description={
        <>
          <p className="wrap-anywhere mb-1.5 text-text">
            <span className="font-medium mono">{batch.id}</span> from {batch.contractLabel}
            {count > 1 && `, with ${counted(others.length, "more batch", "more batches")} of its payout`}
          </p>
          <texts.what batch={batch} count={count} />
        </>
      }
      change={decide}
      close={close}
      cancel="Not now"
      submit={named(texts.confirm)}
      danger={texts.what === Cancelling}
      onSubmit={(form) => decide.mutate(textOf(form, "reason"))}
    >
      <ReasonField
        hint={`Required. Shown in the timeline${count === 1 ? "" : " of each batch"} and the audit log.`}
        autoFocus
      />
    </ChangeDialog>
  );
}
