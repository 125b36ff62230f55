"use client";
import type { ReactNode, SubmitEvent } from "react";
import { fieldError, problemOf, type ShownProblem } from "../data/problem";
import { Alert } from "./alert";
import { Button } from "./button";
import { Dialog } from "./dialog";

type DialogProblem = Omit<ShownProblem, "detail"> & { detail: ReactNode };

interface FormDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  problem: DialogProblem | null;
  busy: boolean;
  /** Label of the button that closes the dialog. */
  cancel?: string;
  /** Label of the submit button. Without it, there is nothing to submit. */
  submit: string | undefined;
  danger?: boolean;
  onSubmit: (form: FormData) => void;
  /** See Dialog. */
  finalFocus?: () => HTMLElement | null;
  children?: ReactNode;
}

/** Cannot be closed while submitting: the user must see the outcome. */
export function FormDialog(props: FormDialogProps) {
  const { open, onOpenChange, title, description, problem, busy, onSubmit, children } = props;
  const { cancel = "Cancel", submit, danger } = props;
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) onSubmit(new FormData(event.currentTarget));
  };
  const change = (next: boolean) => {
    if (!busy) onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={title}
      description={description}
      finalFocus={props.finalFocus}
    >
      <form onSubmit={send} noValidate className="mt-4 flex flex-col gap-4">
        {problem && <ProblemNote problem={problem} />}
        {children}
        <div className="flex justify-end gap-2">
          <Button disabled={busy} onClick={() => change(false)}>
            {cancel}
          </Button>
          {submit && (
            <Button type="submit" variant={danger ? "danger" : "primary"} busy={busy}>
              {submit}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** An expected error needs no title and no request ID. */
function ProblemNote({ problem: { code, title, detail, requestId } }: { problem: DialogProblem }) {
  const isExpected = code === "validation_failed" || code === "not_allowed";
  return isExpected ? (
    <Alert>{detail}</Alert>
  ) : (
    <Alert title={title} requestId={requestId}>
      {detail}
    </Alert>
  );
}

export interface ChangeDialogProps
  extends Omit<FormDialogProps, "open" | "onOpenChange" | "problem" | "busy" | "children"> {
  /** The mutation that the dialog asks to confirm. */
  change: { error: unknown; isPending: boolean };
  /** Replaces the detail of an error. */
  detailOf?: (problem: ShownProblem) => string;
  close: () => void;
  children?: ReactNode | ((errorOf: (field: string) => string | undefined) => ReactNode);
}

/** Makes one change, and is open while it is mounted. Its fields show the errors that are about them. */
export function ChangeDialog({ change, detailOf, close, children, ...props }: ChangeDialogProps) {
  const problem = change.error ? problemOf(change.error) : null;
  const asked = new Set<string>();
  const errorOf = (field: string) => {
    asked.add(field);
    return fieldError(problem, field);
  };
  const content = typeof children === "function" ? children(errorOf) : children;
  const isOfFields = problem?.errors?.every(({ pointer }) => asked.has(pointer.split("/")[1] ?? ""));
  return (
    <FormDialog
      {...props}
      open
      onOpenChange={close}
      problem={problem && !isOfFields ? { ...problem, ...(detailOf && { detail: detailOf(problem) }) } : null}
      busy={change.isPending}
    >
      {content}
    </FormDialog>
  );
}
