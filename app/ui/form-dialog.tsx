"use client";
import { LoaderCircle } from "lucide-react";
import type { ReactNode, SubmitEvent } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";

interface FormDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  problem: { title: string; detail: string; requestId?: string } | null;
  busy: boolean;
  /** Label of the submit button. */
  submit: string;
  danger?: boolean;
  onSubmit: (form: FormData) => void;
  /** See Dialog. */
  finalFocus?: () => HTMLElement | null;
  children?: ReactNode;
}

/** Cannot be closed while submitting: the user must see the outcome. */
export function FormDialog(props: FormDialogProps) {
  const { open, onOpenChange, title, description, problem, busy, submit, danger, onSubmit, children } = props;
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
        {problem && (
          <div role="alert" className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
            <p className="font-medium">{problem.title}</p>
            <p className="wrap-anywhere">{problem.detail}</p>
            {problem.requestId && <p className="mt-1 font-mono text-label">{problem.requestId}</p>}
          </div>
        )}
        {children}
        <div className="flex justify-end gap-2">
          <Button disabled={busy} onClick={() => change(false)}>
            Cancel
          </Button>
          <Button type="submit" variant={danger ? "danger" : "primary"} disabled={busy}>
            {busy && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
