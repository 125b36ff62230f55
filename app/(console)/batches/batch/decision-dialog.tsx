"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Field, TextArea } from "../../../ui/field";
import { notify } from "../../../ui/toast";
import { DECISIONS, type Decision } from "./decisions";
import { WhatHappened } from "./what-happened";

const REASON_CHARS_MIN = 3;
const REASON_CHARS_MAX = 500;

interface DecisionDialogProps {
  decision: Decision;
  batch: ConsoleBatchDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Confirms a decision about the batch, and asks for the reason. */
export function DecisionDialog({ decision, batch, open, onOpenChange }: DecisionDialogProps) {
  const texts = DECISIONS[decision];
  const [error, setError] = useState<string>();
  const key = { contractAddress: batch.contractAddress, batchId: batch.id };
  const decide = useDecision(decision, key, () => {
    notify("success", `Batch ${batch.id} ${texts.done}`);
    onOpenChange(false);
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const box = event.currentTarget.elements.namedItem("reason") as HTMLTextAreaElement;
    const reason = box.value.trim();
    const tooShort = reason.length < REASON_CHARS_MIN;
    setError(tooShort ? `Enter a reason of at least ${REASON_CHARS_MIN} characters.` : undefined);
    if (tooShort) box.focus();
    else decide.mutate({ ...key, reason });
  };
  const problem = decide.error && problemOf(decide.error);
  // The batch was read again before the error is shown. Without that, the error speaks for itself.
  const over = problem !== null && !isPossible(decision, batch);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={texts.title}
      description={
        <>
          <p className="wrap-anywhere mb-1.5 text-text">
            <span className="font-medium font-mono text-mono">{batch.id}</span> from {batch.contractLabel}
          </p>
          <texts.what batch={batch} />
        </>
      }
    >
      <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-4">
        {problem && (
          <div role="alert" className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
            <p className="font-medium">{over ? texts.late : problem.title}</p>
            {over ? <WhatHappened batch={batch} /> : <p>{problem.detail}</p>}
            {problem.requestId && <p className="mt-1 font-mono text-label">{problem.requestId}</p>}
          </div>
        )}
        {!over && (
          <Field label="Reason" hint="Required. Shown in the timeline and the audit log." error={error}>
            {(control) => (
              <TextArea {...control} name="reason" rows={3} maxLength={REASON_CHARS_MAX} autoFocus />
            )}
          </Field>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>{over ? "Close" : texts.keep}</Button>
          {!over && (
            <Button type="submit" variant={texts.variant} disabled={decide.isPending}>
              {decide.isPending && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
              {texts.confirm}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function isPossible(decision: Decision, { status, heldAt, approval }: ConsoleBatchDetail): boolean {
  if (status !== "PENDING") return false;
  if (decision === "approve" || decision === "reject") return approval !== null;
  return decision === "cancel" || (decision === "release") === (heldAt !== null);
}

function useDecision(decision: Decision, key: BatchKey, onSuccess: () => void) {
  const { batches } = useTRPC().console;
  const queryClient = useQueryClient();
  const options = {
    onSuccess,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(batches.get.queryFilter(key)),
        queryClient.invalidateQueries(batches.refresh.queryFilter()),
        queryClient.invalidateQueries(batches.facets.queryFilter()),
      ]),
  };
  const cancel = useMutation(batches.cancel.mutationOptions(options));
  const hold = useMutation(batches.hold.mutationOptions(options));
  const release = useMutation(batches.release.mutationOptions(options));
  const approve = useMutation(batches.approve.mutationOptions(options));
  const reject = useMutation(batches.reject.mutationOptions(options));
  return { cancel, hold, release, approve, reject }[decision];
}
