"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/console-schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Amount, formatAmount } from "../../../ui/amount";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Field, TextArea } from "../../../ui/field";
import { notify } from "../../../ui/toast";
import { TYPE_WORDS } from "../status";
import { Countdown } from "../status-badge";

const REASON_CHARS_MIN = 3;
const REASON_CHARS_MAX = 500;

interface CancelDialogProps {
  batch: ConsoleBatchDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CancelDialog({ batch, open, onOpenChange }: CancelDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [error, setError] = useState<string>();
  const key = { contractAddress: batch.contractAddress, batchId: batch.id };
  const cancel = useMutation(
    trpc.console.batches.cancel.mutationOptions({
      onSuccess: () => {
        notify("success", `Batch ${batch.id} is cancelled.`);
        onOpenChange(false);
      },
      onSettled: () =>
        Promise.all([
          queryClient.invalidateQueries(trpc.console.batches.get.queryFilter(key)),
          queryClient.invalidateQueries(trpc.console.batches.facets.queryFilter()),
        ]),
    }),
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    const tooShort = reason.length < REASON_CHARS_MIN;
    setError(tooShort ? `Write why, in at least ${REASON_CHARS_MIN} characters.` : undefined);
    if (!tooShort) cancel.mutate({ ...key, reason });
  };
  const problem = cancel.error && problemOf(cancel.error);
  const over = problem?.code === "not_cancellable";
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Cancel this batch?"
      description={
        <>
          <p>
            None of its {formatAmount(String(batch.transferCount))}{" "}
            {batch.transferCount === 1 ? "transfer" : "transfers"} will happen, and the contract gets back{" "}
            <Amount value={batch.points} className="font-medium text-text" /> {TYPE_WORDS[batch.pointType]}.
            This cannot be undone.
          </p>
          {batch.status === "PENDING" && (
            <p className="mt-1.5">
              It will be finalized <Countdown batch={batch} asOf={batch.now} /> unless it is cancelled.
            </p>
          )}
        </>
      }
    >
      <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-4">
        {problem && (
          <div role="alert" className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
            <p className="font-medium">{over ? "Too late to cancel" : problem.title}</p>
            <p>{problem.detail}</p>
            {problem.requestId && <p className="mt-1 font-mono text-label">{problem.requestId}</p>}
          </div>
        )}
        {!over && (
          <Field label="Reason" hint="Kept in the timeline and in the audit log." error={error}>
            {(control) => (
              <TextArea {...control} name="reason" rows={3} maxLength={REASON_CHARS_MAX} autoFocus />
            )}
          </Field>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>{over ? "Close" : "Keep batch"}</Button>
          {!over && (
            <Button type="submit" variant="danger" disabled={cancel.isPending}>
              {cancel.isPending && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
              Cancel batch
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
