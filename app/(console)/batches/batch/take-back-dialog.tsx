"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type Dispatch, memo, type ReactNode, type SetStateAction, useCallback, useState } from "react";
import { readWait, WaitField, waitOf } from "@/app/(console)/batches/fields";
import { keyOf } from "@/app/(console)/batches/paths";
import { TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { ReversalStatus } from "@/app/(console)/batches/status-badge";
import { useChange, useTRPC } from "@/app/data/trpc";
import { Amount, formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { ChangeDialog, Dialog } from "@/app/ui/dialogs";
import { Field, TextArea, textOf } from "@/app/ui/fields";
import { Loaded } from "@/app/ui/states";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { Reversible, ReversibleTransfer } from "@/server/batches/reversal/prepare-reversal";
import type { ReversalState } from "@/server/kernel/values/batch-rows";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { formatPoints, sumPoints } from "@/server/kernel/values/points";

const REASON_CHARS_MAX = 500;

const newReversalId = () => {
  const random = crypto.getRandomValues(new Uint8Array(8));
  return `reversal-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
};

/** Asks which transfers of a batch to take back. */
export function TakeBackDialog({ batch, close }: TakeBackProps) {
  const { batches } = useTRPC().console;
  const reversible = useQuery(batches.reversible.queryOptions(keyOf(batch), { staleTime: 0 }));
  const dialog = {
    title: "Take back this batch?",
    description: (
      <p>
        A reversal takes the points of the selected transfers from their recipients and returns them to{" "}
        {batch.contractLabel}. It stays pending like any batch, and can be cancelled until it is finalized.
      </p>
    ),
  };
  if (reversible.data)
    return <TakeBackForm {...dialog} batch={batch} close={close} reversible={reversible.data} />;
  return (
    <Dialog {...dialog} close={close}>
      <div className="mt-4">
        <Loaded query={reversible}>{() => null}</Loaded>
      </div>
    </Dialog>
  );
}

interface TakeBackProps {
  batch: ConsoleBatchDetail;
  close: () => void;
}

interface TakeBackFormProps extends TakeBackProps {
  title: string;
  description: ReactNode;
  reversible: Reversible;
}

/** At first, all that can be taken back are selected. Keeps the reversal's ID, so that sending it again stores it once. */
function TakeBackForm({ batch, close, title, description, reversible }: TakeBackFormProps) {
  const { batches } = useTRPC().console;
  const [reversalId] = useState(newReversalId);
  const { transfers, limits } = reversible;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(transfers.filter(isPossible).map(({ toAddress }) => toAddress)),
  );
  const [wait, setWait] = useState(() => waitOf(limits.minimumFinalizeSeconds));
  const [isUnchosen, setUnchosen] = useState(false);
  const key = keyOf(batch);
  const stale = [batches.get.queryFilter(), batches.reversible.queryFilter(key), batches.facets.pathFilter()];
  const changed = useChange(stale, close);
  const reverse = useMutation(
    batches.reverse.mutationOptions(
      changed((_, { awaitsApproval }: ReversalState) =>
        awaitsApproval
          ? `Reversal ${reversalId} submitted. Nothing is taken back until another person approves it.`
          : `Reversal ${reversalId} submitted`,
      ),
    ),
  );
  const send = (form: FormData) => {
    const read = readWait(wait, limits);
    setUnchosen(chosen.size === 0);
    if (chosen.size === 0 || "error" in read) return;
    const reason = textOf(form, "reason");
    reverse.mutate({
      ...key,
      reversalId,
      secondsToFinalize: read.seconds,
      ...(chosen.size < transfers.length && { toAddresses: [...chosen] }),
      ...(reason && { reason }),
    });
  };
  return (
    <ChangeDialog
      title={title}
      description={description}
      change={reverse}
      close={close}
      submit="Take back"
      danger
      onSubmit={send}
    >
      <TransferChoices
        batch={batch}
        transfers={transfers}
        chosen={chosen}
        onChange={setChosen}
        error={isUnchosen && chosen.size === 0 ? "Select at least one transfer." : undefined}
      />
      <WaitField wait={wait} limits={limits} asOf={batch.now} onChange={setWait} />
      <Field label="Reason" name="reason" hint="Shown in the timeline.">
        {(control) => <TextArea {...control} name="reason" rows={2} maxLength={REASON_CHARS_MAX} />}
      </Field>
    </ChangeDialog>
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
