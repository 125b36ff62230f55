"use client";
import { type Dispatch, memo, type SetStateAction, useCallback } from "react";
import type { ReversibleTransfer } from "@/server/batches/reversal/prepare-reversal";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { formatPoints, sumPoints } from "@/server/kernel/values/points";
import { Amount, formatCount } from "../../../ui/amount";
import { Button } from "../../../ui/button";
import { transfersOf } from "../count-words";
import { TYPE_LABELS } from "../status";
import { ReversalStatus } from "../status-badge";

export const isPossible = ({ reversedBy, available }: ReversibleTransfer) =>
  reversedBy === null && available === null;

interface TransferChoicesProps {
  transfers: readonly ReversibleTransfer[];
  asOf: string;
  pointType: PointType;
  chosen: ReadonlySet<string>;
  onChange: Dispatch<SetStateAction<ReadonlySet<string>>>;
  error: string | undefined;
}

/** The transfers of a batch with a checkbox each, and what the chosen ones add up to. */
export function TransferChoices(props: TransferChoicesProps) {
  const { transfers, asOf, pointType, chosen, onChange, error } = props;
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
          {TYPE_LABELS[pointType]}
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
            asOf={asOf}
            pointType={pointType}
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
