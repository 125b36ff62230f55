import { useMutation, useQuery } from "@tanstack/react-query";
import { memo, useReducer, useState } from "react";
import { keyOf } from "@/app/(console)/batch-key";
import { recipientsOf, TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { ReversalStatus } from "@/app/(console)/batches/status-badge";
import { readWait, takeBackWait, WaitField } from "@/app/(console)/batches/wait-field";
import { useStaff } from "@/app/(console)/staff";
import { useChange, useTRPC } from "@/app/data/trpc";
import { Amount, formatAmount, formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { ChangeDialog, ReasonField } from "@/app/ui/dialogs";
import { SearchInput, textOf } from "@/app/ui/fields";
import { Loaded } from "@/app/ui/states";
import type { ReversibleTransfer } from "@/server/batches/reversal/prepare-reversal";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";
import type { ReversalState } from "@/server/kernel/batch-rows";
import { formatDuration } from "@/terms/output-text";
import { formatPoints, sumPoints } from "@/terms/points";

const newReversalId = () => {
  const random = crypto.getRandomValues(new Uint8Array(8));
  return `reversal-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
};

type Choice = { these: readonly ReversibleTransfer[]; isChosen: boolean; only?: true };

function changeChosen(before: ReadonlySet<string> | null, { these, isChosen, only }: Choice) {
  const next = new Set(only ? null : before);
  for (const { toAddress } of these) next[isChosen ? "add" : "delete"](toAddress);
  return next;
}

/** Keeps the reversal's ID, so that sending it again stores it once, also if a reply was lost. */
export default function TakeBackDialog({ batch, close }: { batch: ConsoleBatchDetail; close: () => void }) {
  const key = keyOf(batch);
  const { batches } = useTRPC().console;
  // Read when the dialog opens, and again only after a failure: what was chosen must not grow by itself.
  const reversible = useQuery(batches.reversible.queryOptions(key, { staleTime: Infinity, gcTime: 0 }));
  const [reversalId] = useState(newReversalId);
  const [ticked, choose] = useReducer(changeChosen, null);
  const { limits } = useStaff();
  const [wait, setWait] = useState(() => takeBackWait(limits));
  const read = [batches.get, batches.transfers, batches.reversible, batches.facets];
  const stale = read.map((one) => one.pathFilter());
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
  const transfers = reversible.data ?? [];
  const isPossible = ({ reversedBy, available }: ReversibleTransfer) =>
    reversedBy === null ? available === null : reversedBy.id === reversalId;
  // Until something is chosen: of several transfers none, since what is left ticked is taken from people.
  const isChosen = (each: ReversibleTransfer) =>
    isPossible(each) && (ticked?.has(each.toAddress) ?? transfers.length === 1);
  const chosen = transfers.filter(isChosen);
  const points = formatPoints(sumPoints(chosen.map((each) => each.points)));
  const sum = `${formatAmount(points)} ${TYPE_LABELS[batch.pointType]}`;
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = transfers.filter(({ toAddress, label, reference }) =>
    `${toAddress} ${label ?? ""} ${reference ?? ""}`.toLowerCase().includes(wanted),
  );
  const { seconds } = readWait(wait, limits);
  const send = (form: FormData) => {
    if (chosen.length === 0 || seconds === undefined) return;
    reverse.mutate({
      ...key,
      reversalId,
      secondsToFinalize: seconds,
      ...(chosen.length < transfers.length && { toAddresses: chosen.map(({ toAddress }) => toAddress) }),
      reason: textOf(form, "reason"),
    });
  };
  return (
    <ChangeDialog
      title="Take back this batch?"
      description={
        <p>
          A reversal takes the points of the selected transfers from their recipients{" "}
          <strong className="font-medium text-text">
            {seconds === undefined ? "when it is due" : `in ${formatDuration(seconds)}`}
          </strong>{" "}
          and returns them to {batch.contractLabel}. Until then it can be cancelled.
        </p>
      }
      change={reverse}
      close={close}
      submit={chosen.length > 0 ? `Take back ${sum} from ${recipientsOf(chosen.length)}` : undefined}
      cancel="Not now"
      danger
      onSubmit={send}
    >
      <Loaded query={reversible}>
        {() => (
          <>
            <fieldset className="flex min-w-0 flex-col gap-1.5">
              <legend className="mb-1.5 font-medium text-label">Transfers to take back</legend>
              <div className="flex flex-wrap items-center gap-x-1 gap-y-1.5">
                <p role="status" className="mr-auto text-table tabular-nums">
                  {formatCount(chosen.length)} of {transfersOf(transfers.length)}, {sum}
                  {wanted && ` · ${formatCount(found.length)} found`}
                </p>
                <span className="-mx-2 flex">
                  <Button
                    variant="ghost"
                    size="small"
                    onClick={() => choose({ these: found, isChosen: true, only: true })}
                  >
                    {wanted ? "Select only found" : `Select all ${formatCount(transfers.length)}`}
                  </Button>
                  <Button
                    variant="ghost"
                    size="small"
                    onClick={() => choose({ these: found, isChosen: false })}
                  >
                    {wanted ? "Leave out found" : "Select none"}
                  </Button>
                </span>
              </div>
              <SearchInput
                aria-label="Search transfers by address, label or reference"
                placeholder="Address, label or reference"
                value={search}
                onChange={({ target }) => setSearch(target.value)}
                onKeyDown={(event) => {
                  if (event.key !== "Escape" || !search) return;
                  // Of the dialog, which would close. Not every browser clears the field by itself.
                  event.stopPropagation();
                  setSearch("");
                }}
                // Of no form, so that Enter does not take back.
                form=""
                isSmall
              />
              <div className="max-h-64 overflow-y-auto rounded-control border border-input-line">
                {found.length === 0 && <p className="hint p-2.5">No matching transfers</p>}
                {found.map((transfer) => (
                  <TransferChoice
                    key={transfer.toAddress}
                    transfer={transfer}
                    isPossible={isPossible(transfer)}
                    isChosen={isChosen(transfer)}
                    choose={choose}
                  />
                ))}
              </div>
            </fieldset>
            <WaitField wait={wait} onChange={setWait} />
            <ReasonField hint="Required. Shown in the timeline and the audit log." autoFocus />
          </>
        )}
      </Loaded>
    </ChangeDialog>
  );
}

interface TransferChoiceProps {
  transfer: ReversibleTransfer;
  isPossible: boolean;
  isChosen: boolean;
  choose: (choice: Choice) => void;
}

/** Drawn again only when it changes: there can be thousands. */
const TransferChoice = memo(function TransferChoice(props: TransferChoiceProps) {
  const { transfer, isPossible, isChosen, choose } = props;
  const { toAddress, label, reference, points, reversedBy, available } = transfer;
  return (
    <label className="flex items-start gap-2.5 border-line border-b px-2.5 py-1.5 text-table last:border-b-0">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => choose({ these: [transfer], isChosen: event.target.checked })}
        disabled={!isPossible}
        className="mt-[3px] size-3.5 shrink-0 accent-accent"
      />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="break-all mono">{toAddress}</span>
        {label && <span className="hint">{label}</span>}
        {reference && <span className="break-all hint mono">{reference}</span>}
        {reversedBy !== null && (
          <span className="hint">
            <ReversalStatus reversal={reversedBy}>{reversedBy.id}</ReversalStatus>
          </span>
        )}
        {available !== null && (
          <span className="text-danger text-label">
            Has only <Amount value={available} /> available
          </span>
        )}
      </span>
      <Amount value={points} />
    </label>
  );
});
