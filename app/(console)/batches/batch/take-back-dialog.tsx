"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { ReversibleTransfer } from "@/server/batches/reversal/describe-reversible";
import { fieldError, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Amount } from "../../../ui/amount";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { ErrorState } from "../../../ui/error-state";
import { Field, Input, TextArea } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import { Skeleton } from "../../../ui/skeleton";
import { batchPath } from "../paths";
import { TYPE_LABELS } from "../status";

const TITLE = "Take back this batch?";
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
  const [none, setNone] = useState(false);
  const key = { contractAddress: batch.contractAddress, batchId: batch.id };
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
  const about = (
    <p>
      A reversal takes the points of the chosen transfers from their recipients and returns them to{" "}
      {batch.contractLabel}. It waits like any batch and can be cancelled until it is finalized.
    </p>
  );
  if (reverse.data)
    return (
      <Dialog open={open} onOpenChange={onOpenChange} title="Reversal submitted" description={about}>
        <p role="status" className="wrap-anywhere mt-4 text-table">
          The reversal is{" "}
          <Link
            href={batchPath({ contractAddress: batch.contractAddress, id: reverse.data.batchId })}
            className="font-mono text-accent text-mono underline-offset-2 hover:underline"
          >
            {reverse.data.batchId}
          </Link>
          .
        </p>
        <div className="mt-4 flex justify-end">
          <Button onClick={() => onOpenChange(false)}>Close</Button>
        </div>
      </Dialog>
    );
  if (!reversible.data)
    return (
      <Dialog open={open} onOpenChange={onOpenChange} title={TITLE} description={about}>
        <div className="mt-4">
          {reversible.error ? (
            <ErrorState {...problemOf(reversible.error)} onRetry={() => void reversible.refetch()} />
          ) : (
            <Skeleton className="h-40 w-full" />
          )}
        </div>
      </Dialog>
    );
  const { transfers, secondsMin, secondsMax } = reversible.data;
  const problem = reverse.error && problemOf(reverse.error);
  const send = (form: FormData) => {
    const toAddresses = form.getAll("to").map(String);
    setNone(toAddresses.length === 0);
    if (toAddresses.length === 0) return;
    const reason = String(form.get("reason") ?? "").trim();
    reverse.mutate({
      ...key,
      reversalId,
      secondsToFinalize: Number(form.get("wait")),
      ...(toAddresses.length < transfers.length && { toAddresses }),
      ...(reason && { reason }),
    });
  };
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={TITLE}
      description={about}
      problem={problem?.errors ? null : problem}
      busy={reverse.isPending}
      submit="Take back"
      danger
      onSubmit={send}
    >
      <fieldset className="flex min-w-0 flex-col gap-1.5">
        <legend className="mb-1.5 font-medium text-label">Transfers</legend>
        <div className="max-h-64 overflow-y-auto rounded-control border border-input-line">
          {transfers.map((transfer) => (
            <TransferChoice key={transfer.toAddress} transfer={transfer} pointType={batch.pointType} />
          ))}
        </div>
        {none && (
          <p role="alert" className="text-danger text-label">
            Choose at least one transfer.
          </p>
        )}
      </fieldset>
      <Field
        label="Wait in seconds"
        hint={`From ${secondsMin} to ${secondsMax}.`}
        error={fieldError(problem, "secondsToFinalize")}
      >
        {(control) => (
          <Input
            {...control}
            name="wait"
            type="number"
            min={secondsMin}
            max={secondsMax}
            defaultValue={secondsMax}
          />
        )}
      </Field>
      <Field label="Reason" hint="Shown in the timeline." error={fieldError(problem, "reason")}>
        {(control) => <TextArea {...control} name="reason" rows={2} maxLength={REASON_CHARS_MAX} />}
      </Field>
    </FormDialog>
  );
}

interface TransferChoiceProps {
  transfer: ReversibleTransfer;
  pointType: ConsoleBatchDetail["pointType"];
}

function TransferChoice({ transfer, pointType }: TransferChoiceProps) {
  const { toAddress, label, points, reversedBy, available } = transfer;
  const isPossible = reversedBy === null && available === null;
  return (
    <label className="flex items-start gap-2.5 border-line border-b px-2.5 py-1.5 text-table last:border-b-0">
      <input
        type="checkbox"
        name="to"
        value={toAddress}
        defaultChecked={isPossible}
        disabled={!isPossible}
        className="mt-[3px] size-3.5 shrink-0 accent-accent"
      />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="break-all font-mono text-mono">{toAddress}</span>
        {label && <span className="text-label text-muted">{label}</span>}
        {reversedBy !== null && (
          <span className="wrap-anywhere text-label text-muted">Already taken back by {reversedBy}</span>
        )}
        {available !== null && (
          <span className="text-danger text-label">
            Has only <Amount value={available} /> available
          </span>
        )}
      </span>
      <span className="whitespace-nowrap">
        <Amount value={points} /> {TYPE_LABELS[pointType]}
      </span>
    </label>
  );
}
