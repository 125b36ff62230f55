"use client";
import { type ReactNode, useState } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { Reversible } from "@/server/batches/reversal/describe-reversible";
import { fieldError, type ShownProblem } from "../../../data/problem";
import { Field, TextArea } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import { readWait, waitOf } from "../wait";
import { WaitField } from "../wait-field";
import { isPossible, TransferChoices } from "./transfer-choices";

const REASON_CHARS_MAX = 500;

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

/** Which transfers are taken back, after what wait, and why. At first all that can be. */
export function TakeBackForm(props: TakeBackFormProps) {
  const { batch, problem, onSend } = props;
  const { transfers, limits } = props.reversible;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(transfers.filter(isPossible).map(({ toAddress }) => toAddress)),
  );
  const [wait, setWait] = useState(() => waitOf(limits.defaultFinalizeSeconds));
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
    <FormDialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={props.title}
      description={props.description}
      problem={reasonError ? null : problem}
      busy={props.busy}
      submit="Take back"
      danger
      onSubmit={send}
    >
      <TransferChoices
        transfers={transfers}
        pointType={batch.pointType}
        chosen={chosen}
        onChange={setChosen}
        error={isUnchosen && chosen.size === 0 ? "Choose at least one transfer." : undefined}
      />
      <WaitField wait={wait} limits={limits} asOf={batch.now} onChange={setWait} />
      <Field label="Reason" hint="Shown in the timeline." error={reasonError}>
        {(control) => <TextArea {...control} name="reason" rows={2} maxLength={REASON_CHARS_MAX} />}
      </Field>
    </FormDialog>
  );
}
