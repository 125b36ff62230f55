"use client";
import { useMutation } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useState } from "react";
import type { BulkAction, BulkPreview } from "@/server/batches/bulk/bulk-schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Amount } from "../../../ui/amount";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Fact, FactList } from "../../../ui/fact-list";
import { Field, TextArea } from "../../../ui/field";
import { Instant } from "../../../ui/instant";
import { jobPath } from "../paths";
import { ACTION_WORDS, batchesOf, obstacleWords } from "./bulk-words";
import { Amounts } from "./shares";

const REASON_CHARS_MIN = 3;
const REASON_CHARS_MAX = 500;

interface BulkDialogProps {
  action: BulkAction;
  preview: { data: BulkPreview | undefined; error: unknown; isPending: boolean };
  onRetry: () => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Says exactly what a job would do, asks for one reason, and starts it. */
export function BulkDialog({ action, preview, onRetry, open, onOpenChange }: BulkDialogProps) {
  const words = ACTION_WORDS[action];
  const trpc = useTRPC();
  const router = useRouter();
  const [error, setError] = useState<string>();
  const start = useMutation(
    trpc.console.bulk.start.mutationOptions({ onSuccess: ({ jobId }) => router.push(jobPath(jobId)) }),
  );
  const { data } = preview;
  const count = data?.possible.batches ?? 0;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!data) return;
    const box = event.currentTarget.elements.namedItem("reason") as HTMLTextAreaElement;
    const reason = box.value.trim();
    const tooShort = reason.length < REASON_CHARS_MIN;
    setError(tooShort ? `Enter a reason of at least ${REASON_CHARS_MIN} characters.` : undefined);
    if (tooShort) box.focus();
    else start.mutate({ jobId: data.jobId, reason });
  };
  const failure = preview.error ?? start.error;
  const problem = failure ? problemOf(failure) : null;
  const titleOf = () => {
    if (preview.error !== null) return "Could not count the batches";
    if (!data) return "Counting batches";
    return count > 0 ? `${words.confirm(count)}?` : `None of these can be ${words.done}`;
  };
  const isBusy = start.isPending || start.isSuccess;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !isBusy && onOpenChange(next)}
      title={titleOf()}
      description={data && count > 0 ? <p>{words.what}</p> : null}
    >
      <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-4">
        {preview.isPending && (
          <p role="status" className="flex items-center gap-2 text-muted text-table">
            <LoaderCircle aria-hidden size={14} className="animate-spin" />
            Counting the batches. Nothing has changed yet.
          </p>
        )}
        {problem && (
          <div role="alert" className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
            <p className="font-medium">{problem.title}</p>
            <p className="wrap-anywhere">{problem.detail}</p>
            {problem.requestId && <p className="mt-1 font-mono text-label">{problem.requestId}</p>}
          </div>
        )}
        {data && !preview.isPending && <Figures preview={data} />}
        {count > 0 && !preview.isPending && (
          <Field
            label="Reason"
            hint="Required. It applies to all batches, and appears in their timelines and in the audit log."
            error={error}
          >
            {(control) => (
              <TextArea {...control} name="reason" rows={2} maxLength={REASON_CHARS_MAX} autoFocus />
            )}
          </Field>
        )}
        <div className="flex justify-end gap-2">
          <Button disabled={isBusy} onClick={() => onOpenChange(false)}>
            {count > 0 ? "Change nothing" : "Close"}
          </Button>
          {preview.error !== null && <Button onClick={onRetry}>Try again</Button>}
          {count > 0 && !preview.isPending && (
            <Button type="submit" variant={action === "cancel" ? "danger" : "primary"} disabled={isBusy}>
              {isBusy && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
              {words.confirm(count)}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function Figures({ preview: { action, possible, obstacles, frozenAt, batches } }: { preview: BulkPreview }) {
  const { done } = ACTION_WORDS[action];
  return (
    <div className="flex max-h-[45dvh] flex-col gap-3 overflow-y-auto">
      {possible.batches > 0 && (
        <FactList>
          <Fact name="Batches">
            <Amount value={String(possible.batches)} className="font-medium" />
          </Fact>
          <Fact name="Transfers">
            <Amount value={String(possible.transfers)} />
          </Fact>
          <Fact name="Amount">
            <Amounts amounts={possible.amounts} />
          </Fact>
        </FactList>
      )}
      {obstacles.length > 0 && (
        <section aria-label={`Cannot be ${done}`} className="flex flex-col gap-1.5">
          <h3 className="font-medium text-label">
            {batchesOf(batches - possible.batches)} cannot be {done}
          </h3>
          <FactList>
            {obstacles.map(({ why, batches: count, amounts }) => (
              <Fact key={why} name={`${obstacleWords(why)}: ${batchesOf(count)}`}>
                <Amounts amounts={amounts} />
              </Fact>
            ))}
          </FactList>
        </section>
      )}
      <p className="text-label text-muted">
        Counted <Instant at={frozenAt} className="tabular-nums" />. Batches created later are not changed.
      </p>
    </div>
  );
}
