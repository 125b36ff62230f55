"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { Reversible } from "@/server/batches/reversal/prepare-reversal";
import { fieldError, problemOf, type ShownProblem } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { ErrorState } from "../../../ui/error-state";
import { Field, TextArea } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import { Skeleton } from "../../../ui/skeleton";
import { keyOf } from "../paths";
import { ReversalStatus, WillBeFinalized } from "../status-badge";
import { readWait, waitOf } from "../wait";
import { WaitField } from "../wait-field";
import { BatchIdLink } from "./batch-id-link";
import { isPossible, TransferChoices } from "./transfer-choices";

const REASON_CHARS_MAX = 500;

interface TakeBackDialogProps {
  batch: ConsoleBatchDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const newReversalId = () => {
  const random = crypto.getRandomValues(new Uint8Array(8));
  return `reversal-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
};

/** Chooses the transfers to take back, and submits the reversal. Keeps its ID, so that sending it again stores it once. */
export function TakeBackDialog({ batch, open, onOpenChange }: TakeBackDialogProps) {
  const { batches } = useTRPC().console;
  const queryClient = useQueryClient();
  const [reversalId] = useState(newReversalId);
  const key = keyOf(batch);
  const reversible = useQuery(batches.reversible.queryOptions(key, { enabled: open, staleTime: 0 }));
  const reverse = useMutation(
    batches.reverse.mutationOptions({
      onSettled: () =>
        Promise.all([
          queryClient.invalidateQueries(batches.get.queryFilter(key)),
          queryClient.invalidateQueries(batches.reversible.queryFilter(key)),
          queryClient.invalidateQueries(batches.facets.queryFilter()),
        ]),
    }),
  );
  const dialog = {
    open,
    onOpenChange,
    title: "Take back this batch?",
    description: (
      <p>
        A reversal takes the points of the selected transfers from their recipients and returns them to{" "}
        {batch.contractLabel}. It stays pending like any batch, and can be cancelled until it is finalized.
      </p>
    ),
  };
  if (reverse.data)
    return (
      <Dialog {...dialog} title="Reversal submitted">
        <div role="status" className="wrap-anywhere mt-4 flex flex-col gap-1.5 text-table">
          <p>
            <ReversalStatus reversal={reverse.data} asOf={batch.now}>
              <BatchIdLink contractAddress={batch.contractAddress} id={reverse.data.id} />
            </ReversalStatus>
          </p>
          {reverse.data.status === "PENDING" && (
            <p>
              {reverse.data.awaitsApproval ? (
                "Nothing is taken back until another person approves the reversal."
              ) : (
                <>
                  The points are taken back <WillBeFinalized batch={reverse.data} asOf={batch.now} />. Until
                  then the reversal can be cancelled.
                </>
              )}
            </p>
          )}
        </div>
        <div className="mt-4 flex justify-end">
          <Button onClick={() => onOpenChange(false)}>Close</Button>
        </div>
      </Dialog>
    );
  if (!reversible.data)
    return (
      <Dialog {...dialog}>
        <div className="mt-4">
          {reversible.error ? (
            <ErrorState {...problemOf(reversible.error)} onRetry={() => void reversible.refetch()} />
          ) : (
            <Skeleton className="h-40 w-full" />
          )}
        </div>
      </Dialog>
    );
  return (
    <TakeBackForm
      {...dialog}
      batch={batch}
      reversible={reversible.data}
      problem={reverse.error && problemOf(reverse.error)}
      busy={reverse.isPending}
      onSend={(reversal) => reverse.mutate({ ...key, reversalId, ...reversal })}
    />
  );
}

interface Reversal {
  toAddresses?: string[];
  secondsToFinalize: number;
  reason?: string;
}

interface TakeBackFormProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  batch: ConsoleBatchDetail;
  reversible: Reversible;
  problem: ShownProblem | null;
  busy: boolean;
  onSend: (reversal: Reversal) => void;
}

/** Asks which transfers to take back, after what time, and why. At first, all that can be taken back are selected. */
function TakeBackForm(props: TakeBackFormProps) {
  const { batch, reversible, problem, onSend, ...dialog } = props;
  const { transfers, limits } = reversible;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(transfers.filter(isPossible).map(({ toAddress }) => toAddress)),
  );
  const [wait, setWait] = useState(() => waitOf(limits.minimumFinalizeSeconds));
  const [isUnchosen, setUnchosen] = useState(false);
  const reasonError = fieldError(problem, "reason");
  const send = (form: FormData) => {
    const read = readWait(wait, limits);
    setUnchosen(chosen.size === 0);
    if (chosen.size === 0 || "error" in read) return;
    const reason = String(form.get("reason") ?? "").trim();
    onSend({
      secondsToFinalize: read.seconds,
      ...(chosen.size < transfers.length && { toAddresses: [...chosen] }),
      ...(reason && { reason }),
    });
  };
  return (
    <FormDialog {...dialog} problem={reasonError ? null : problem} submit="Take back" danger onSubmit={send}>
      <TransferChoices
        transfers={transfers}
        asOf={batch.now}
        pointType={batch.pointType}
        chosen={chosen}
        onChange={setChosen}
        error={isUnchosen && chosen.size === 0 ? "Select at least one transfer." : undefined}
      />
      <WaitField wait={wait} limits={limits} asOf={batch.now} onChange={setWait} />
      <Field label="Reason" hint="Shown in the timeline." error={reasonError}>
        {(control) => <TextArea {...control} name="reason" rows={2} maxLength={REASON_CHARS_MAX} />}
      </Field>
    </FormDialog>
  );
}
