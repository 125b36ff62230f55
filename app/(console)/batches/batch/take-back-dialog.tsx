"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ComponentProps, type Dispatch, memo, type SetStateAction, useCallback, useState } from "react";
import { BatchIdLink } from "@/app/(console)/batch-link";
import { readWait, WaitField, waitOf } from "@/app/(console)/batches/fields";
import { keyOf } from "@/app/(console)/batches/paths";
import { TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { ReversalStatus, WillBeFinalized } from "@/app/(console)/batches/status-badge";
import { fieldError, problemOf, type ShownProblem } from "@/app/data/problem";
import { useTRPC } from "@/app/data/trpc";
import { useChange } from "@/app/data/use-change";
import { Amount, formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { Dialog, FormDialog } from "@/app/ui/dialogs";
import { QueryError } from "@/app/ui/error-state";
import { Field, TextArea } from "@/app/ui/fields";
import { Skeleton } from "@/app/ui/skeleton";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { Reversible, ReversibleTransfer } from "@/server/batches/reversal/prepare-reversal";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { formatPoints, sumPoints } from "@/server/kernel/values/points";

const REASON_CHARS_MAX = 500;

const newReversalId = () => {
  const random = crypto.getRandomValues(new Uint8Array(8));
  return `reversal-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
};

/** Chooses the transfers to take back, and submits the reversal. Keeps its ID, so that sending it again stores it once. */
export function TakeBackDialog({ batch, close }: { batch: ConsoleBatchDetail; close: () => void }) {
  const { batches } = useTRPC().console;
  const [reversalId] = useState(newReversalId);
  const key = keyOf(batch);
  const reversible = useQuery(batches.reversible.queryOptions(key, { staleTime: 0 }));
  const changed = useChange([
    batches.get.queryFilter(key),
    batches.reversible.queryFilter(key),
    batches.facets.queryFilter(),
  ]);
  const reverse = useMutation(batches.reverse.mutationOptions(changed()));
  const dialog = {
    open: true,
    onOpenChange: close,
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
          <Button onClick={close}>Close</Button>
        </div>
      </Dialog>
    );
  if (!reversible.data)
    return (
      <Dialog {...dialog}>
        <div className="mt-4">
          {reversible.error ? <QueryError query={reversible} /> : <Skeleton className="h-40 w-full" />}
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

interface TakeBackFormProps
  extends Pick<ComponentProps<typeof FormDialog>, "open" | "onOpenChange" | "title" | "description"> {
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
        batch={batch}
        transfers={transfers}
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

const isPossible = ({ reversedBy, available }: ReversibleTransfer) =>
  reversedBy === null && available === null;

interface TransferChoicesProps {
  batch: ConsoleBatchDetail;
  transfers: readonly ReversibleTransfer[];
  chosen: ReadonlySet<string>;
  onChange: Dispatch<SetStateAction<ReadonlySet<string>>>;
  error: string | undefined;
}

function TransferChoices(props: TransferChoicesProps) {
  const { batch, transfers, chosen, onChange, error } = props;
  // A row is drawn again only when it changes: there can be thousands.
  const toggle = useCallback(
    (address: string, isChosen: boolean) =>
      onChange(
        (before) => new Set(isChosen ? [...before, address] : [...before].filter((each) => each !== address)),
      ),
    [onChange],
  );
  const possible = transfers.filter(isPossible);
  const kept = transfers.filter(({ toAddress }) => chosen.has(toAddress));
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-label">Transfers</legend>
      <div className="flex flex-wrap items-center gap-x-1 gap-y-1.5">
        <p role="status" className="mr-auto text-table tabular-nums">
          {formatCount(kept.length)} of {transfersOf(transfers.length)},{" "}
          <Amount value={formatPoints(sumPoints(kept.map(({ points }) => points)))} />{" "}
          {TYPE_LABELS[batch.pointType]}
        </p>
        <span className="-mx-2 flex">
          <Button
            variant="ghost"
            size="small"
            onClick={() => onChange(new Set(possible.map(({ toAddress }) => toAddress)))}
          >
            Select all
          </Button>
          <Button variant="ghost" size="small" onClick={() => onChange(new Set())}>
            Select none
          </Button>
        </span>
      </div>
      <div className="max-h-64 overflow-y-auto rounded-control border border-input-line">
        {transfers.map((transfer) => (
          <TransferChoice
            key={transfer.toAddress}
            transfer={transfer}
            asOf={batch.now}
            pointType={batch.pointType}
            isChosen={chosen.has(transfer.toAddress)}
            toggle={toggle}
          />
        ))}
      </div>
      {error && (
        <p role="alert" className="text-danger text-label">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface TransferChoiceProps {
  transfer: ReversibleTransfer;
  asOf: string;
  pointType: PointType;
  isChosen: boolean;
  toggle: (address: string, isChosen: boolean) => void;
}

const TransferChoice = memo(function TransferChoice(props: TransferChoiceProps) {
  const { transfer, asOf, pointType, isChosen, toggle } = props;
  const { toAddress, label, points, reversedBy, available } = transfer;
  return (
    <label className="flex items-start gap-2.5 border-line border-b px-2.5 py-1.5 text-table last:border-b-0">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => toggle(toAddress, event.target.checked)}
        disabled={!isPossible(transfer)}
        className="mt-[3px] size-3.5 shrink-0 accent-accent"
      />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="break-all font-mono text-mono">{toAddress}</span>
        {label && <span className="text-label text-muted">{label}</span>}
        {reversedBy !== null && (
          <span className="text-label text-muted">
            <ReversalStatus reversal={reversedBy} asOf={asOf}>
              {reversedBy.id}
            </ReversalStatus>
          </span>
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
});
