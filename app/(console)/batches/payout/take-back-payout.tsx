"use client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf } from "@/app/(console)/batch-key";
import { newReversalId } from "@/app/(console)/batches/batch/take-back-dialog";
import { REASON_CHARS_MAX } from "@/app/(console)/batches/reason-field";
import { batchesOf, transfersOf } from "@/app/(console)/batches/status";
import { useChange, useTRPC, useTRPCClient } from "@/app/data/trpc";
import { counted } from "@/app/ui/amount";
import { ChangeDialog } from "@/app/ui/dialogs";
import { Field, TextArea, textOf } from "@/app/ui/fields";
import type { ConsolePayout } from "@/server/payouts/schema";

interface TakeBackPayoutProps {
  payout: ConsolePayout;
  close: () => void;
}

/** A reversal for each finalized batch. Keeps their IDs, so that sending them again stores each once. */
export default function TakeBackPayout({ payout, close }: TakeBackPayoutProps) {
  const { payouts, batches } = useTRPC().console;
  const client = useTRPCClient().console.batches;
  const [id] = useState(newReversalId);
  // As of the opening: another one that is finalized later would give the reversals other IDs.
  const [finalized] = useState(() => payout.parts.filter(({ status }) => status === "FINALIZED"));
  const changed = useChange([payouts.get.queryFilter(), batches.pathFilter()], close);
  const takeBack = useMutation({
    mutationFn: async (reason: string) => {
      let leftOut = 0;
      let submitted = 0;
      for (const [at, part] of finalized.entries()) {
        const reversalId = `${id}.${at + 1}`;
        const { transfers, limits } = await client.reversible.query(keyOf(part));
        // What an earlier try took back is in a reversal with the same ID.
        const rest = transfers.filter(({ reversedBy }) => reversedBy?.id !== reversalId);
        const taken = rest.filter(({ reversedBy, available }) => reversedBy === null && available === null);
        leftOut += rest.length - taken.length;
        if (taken.length === 0) continue;
        await client.reverse.mutate({
          ...keyOf(part),
          reversalId,
          secondsToFinalize: limits.minimumFinalizeSeconds,
          toAddresses: taken.map(({ toAddress }) => toAddress),
          ...(reason && { reason }),
        });
        submitted++;
      }
      return { submitted, leftOut };
    },
    ...changed((_: string, { submitted, leftOut }: { submitted: number; leftOut: number }) => {
      const done = `${counted(submitted, "reversal", "reversals")} submitted`;
      return leftOut === 0 ? done : `${done}. ${transfersOf(leftOut)} cannot be taken back, or already were.`;
    }),
  });
  return (
    <ChangeDialog
      title="Take back this payout?"
      description={
        `A reversal of each of ${batchesOf(finalized.length)} takes the points from their recipients and ` +
        `returns them to ${payout.contractLabel}. They stay pending for the shortest wait, and can be ` +
        "cancelled until they are finalized. To take back some transfers only, open the batch."
      }
      change={takeBack}
      close={close}
      submit="Take back"
      danger
      onSubmit={(form) => takeBack.mutate(textOf(form, "reason"))}
    >
      <Field label="Reason" name="reason" hint="Shown in the timelines.">
        {(control) => <TextArea {...control} name="reason" rows={2} maxLength={REASON_CHARS_MAX} />}
      </Field>
    </ChangeDialog>
  );
}
