"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf } from "@/app/(console)/batch-key";
import { newReversalId } from "@/app/(console)/batches/batch/take-back-dialog";
import { REASON_CHARS_MAX } from "@/app/(console)/batches/reason-field";
import { TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { useChange, useTRPC, useTRPCClient } from "@/app/data/trpc";
import { counted, formatAmount } from "@/app/ui/amount";
import { ChangeDialog } from "@/app/ui/dialogs";
import { Field, TextArea, textOf } from "@/app/ui/fields";
import { Loaded } from "@/app/ui/states";
import type { ReversibleTransfer } from "@/server/batches/reversal/prepare-reversal";
import type { ConsolePayout } from "@/server/payouts/schema";
import { POINT_TYPES } from "@/terms/batch-terms";
import { formatPoints, sumPoints } from "@/terms/points";

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
  const reversible = useQuery({
    queryKey: ["take back", id],
    queryFn: async () => {
      const parts = [];
      // One after the other: together they can be millions of transfers.
      for (const [at, part] of finalized.entries()) {
        const reversalId = `${id}.${at + 1}`;
        const { transfers, limits } = await client.reversible.query(keyOf(part));
        parts.push({ part, reversalId, limits, ...divided(transfers, reversalId) });
      }
      return parts;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const stale = [payouts.get.queryFilter(), batches.pathFilter(), { queryKey: ["take back", id] }];
  const changed = useChange(stale, close);
  const parts = reversible.data?.filter(({ taken }) => taken.length > 0) ?? [];
  const takeBack = useMutation({
    mutationFn: async (reason: string) => {
      for (const { part, reversalId, limits, taken } of parts)
        await client.reverse.mutate({
          ...keyOf(part),
          reversalId,
          secondsToFinalize: limits.minimumFinalizeSeconds,
          toAddresses: taken.map(({ toAddress }) => toAddress),
          ...(reason && { reason }),
        });
    },
    ...changed(`${counted(parts.length, "reversal", "reversals")} submitted`),
  });
  return (
    <ChangeDialog
      title="Take back this payout?"
      description={
        `${counted(finalized.length, "finalized batch gets", "finalized batches get")} a reversal each, ` +
        `which takes the points from the recipients and returns them to ${payout.contractLabel}. It stays ` +
        "pending for the shortest wait, and can be cancelled until it is finalized. To take back some " +
        "transfers only, open their batch."
      }
      change={takeBack}
      close={close}
      submit={parts.length > 0 ? "Take back" : undefined}
      danger
      onSubmit={(form) => takeBack.mutate(textOf(form, "reason"))}
    >
      <Loaded query={reversible}>
        {(all) => (
          <>
            <WhatIsTaken parts={all} />
            <Field label="Reason" name="reason" hint="Shown in the timelines.">
              {(control) => <TextArea {...control} name="reason" rows={2} maxLength={REASON_CHARS_MAX} />}
            </Field>
          </>
        )}
      </Loaded>
    </ChangeDialog>
  );
}

/** What an earlier try took back is in a reversal with the same ID, which must have the same transfers. */
function divided(transfers: readonly ReversibleTransfer[], reversalId: string) {
  const before = transfers.filter(({ reversedBy }) => reversedBy?.id === reversalId);
  const possible = transfers.filter(({ reversedBy, available }) => reversedBy === null && available === null);
  const taken = before.length > 0 ? before : possible;
  return { taken, leftOut: transfers.length - taken.length };
}

type Part = ReturnType<typeof divided> & { part: ConsolePayout["parts"][number] };

function WhatIsTaken({ parts }: { parts: readonly Part[] }) {
  const transfers = parts.flatMap(({ part, taken }) =>
    taken.map((one) => ({ ...one, type: part.pointType })),
  );
  const people = new Set(transfers.map(({ toAddress }) => toAddress));
  const leftOut = parts.reduce((sum, part) => sum + part.leftOut, 0);
  const sums = POINT_TYPES.flatMap((type) => {
    const amounts = transfers.filter((one) => one.type === type).map(({ points }) => points);
    return amounts.length > 0
      ? [`${formatAmount(formatPoints(sumPoints(amounts)))} ${TYPE_LABELS[type]}`]
      : [];
  });
  return (
    <p role="status" className="text-table">
      {people.size > 0 && (
        <strong className="font-medium">
          {sums.join(" and ")} will be taken back from {counted(people.size, "person", "people")}.
        </strong>
      )}
      {leftOut > 0 && ` ${transfersOf(leftOut)} cannot be taken back, or already were.`}
    </p>
  );
}
