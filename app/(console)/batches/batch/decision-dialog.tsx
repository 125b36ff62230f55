"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { problemOf } from "../../../data/problem";
import { useTRPC, useTRPCClient } from "../../../data/trpc";
import { FormDialog } from "../../../ui/form-dialog";
import { Instant } from "../../../ui/instant";
import { useTimeZone } from "../../../ui/time-zone";
import { notify } from "../../../ui/toast";
import { personName } from "../caller-names";
import { keyOf } from "../paths";
import { useReason } from "../use-reason";
import { DECISIONS, type Decision } from "./decisions";
import { EVENTS } from "./events";

interface DecisionDialogProps {
  decision: Decision;
  batch: ConsoleBatchDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Confirms a decision about the batch, and asks for the reason. */
export function DecisionDialog({ decision, batch, open, onOpenChange }: DecisionDialogProps) {
  const texts = DECISIONS[decision];
  const { reasonField, readReason } = useReason("Required. Shown in the timeline and the audit log.");
  const key = keyOf(batch);
  const decide = useDecision(decision, key, () => {
    notify("success", `Batch ${batch.id} ${texts.done}`);
    onOpenChange(false);
  });
  const problem = decide.error && problemOf(decide.error);
  // The batch was read again before the error is shown. Without that, the error speaks for itself.
  const isOver = problem !== null && !isPossible(decision, batch);
  const submit = () => {
    const reason = readReason();
    if (reason !== null) decide.mutate({ ...key, reason });
  };
  return (
    <FormDialog
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
      problem={isOver ? { title: texts.late, detail: <LastEvent batch={batch} /> } : problem}
      busy={decide.isPending}
      cancel={isOver ? "Close" : texts.keep}
      submit={isOver ? undefined : texts.confirm}
      danger={texts.isDanger}
      onSubmit={submit}
    >
      {!isOver && reasonField}
    </FormDialog>
  );
}

function isPossible(decision: Decision, { status, heldAt, approval }: ConsoleBatchDetail): boolean {
  if (status !== "PENDING") return false;
  if (decision === "approve" || decision === "reject") return approval !== null;
  return decision === "cancel" || (decision === "release") === (heldAt !== null);
}

/** What happened to the batch instead. */
function LastEvent({ batch }: { batch: ConsoleBatchDetail }) {
  const { zone } = useTimeZone();
  const { event, at, by, reason } = batch.timeline.at(-1)!;
  return (
    <>
      {EVENTS[event].label} <Instant at={at} className="tabular-nums" /> ({zone})
      {by && event !== "finalized" && event !== "claimed" && ` by ${personName(by)}`}
      {reason && `: “${reason}”`}
    </>
  );
}

function useDecision(decision: Decision, key: BatchKey, onSuccess: () => void) {
  const { batches } = useTRPC().console;
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: BatchKey & { reason: string }) => client.console.batches[decision].mutate(input),
    onSuccess,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(batches.get.queryFilter(key)),
        queryClient.invalidateQueries(batches.refresh.queryFilter()),
        queryClient.invalidateQueries(batches.facets.queryFilter()),
      ]),
  });
}
