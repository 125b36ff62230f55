"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { Check, Copy } from "lucide-react";
import { type ReactNode, type SubmitEvent, useState } from "react";
import type { ShownProblem } from "@/app/data/problem";
import { Alert } from "@/app/ui/alert";
import { Button } from "@/app/ui/button";
import { CodeBlock } from "@/app/ui/code-block";
import { copyText } from "@/app/ui/copy-button";
import { FieldErrors, submitOnKeys, useFormProblem } from "@/app/ui/fields";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  /** Receives the focus after closing. By default, or for null, it returns to where it was. */
  finalFocus?: () => HTMLElement | null;
  children: ReactNode;
}

export function Dialog({ open, onOpenChange, title, description, finalFocus, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop forceRender className="overlay-motion fixed inset-0 z-40 bg-black/40" />
        <Base.Popup
          finalFocus={finalFocus}
          onKeyDown={submitOnKeys}
          className="overlay-motion -translate-1/2 fixed top-1/2 left-1/2 z-50 w-[480px] max-w-[calc(100vw-32px)] rounded-card border border-line bg-raised p-5 shadow-overlay outline-none data-starting-style:scale-[0.98]"
        >
          <Base.Title className="font-semibold text-[1rem]/6">{title}</Base.Title>
          <Base.Description render={<div />} className="mt-1.5 text-body text-muted">
            {description}
          </Base.Description>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

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
  onSubmit: (form: FormData, element: HTMLFormElement) => void;
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
    if (!busy) onSubmit(new FormData(event.currentTarget), event.currentTarget);
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
  extends Omit<FormDialogProps, "open" | "onOpenChange" | "problem" | "busy" | "onSubmit"> {
  /** The mutation that the dialog asks to confirm. */
  change: { error: unknown; isPending: boolean };
  /** Replaces the detail of an error. */
  detailOf?: (problem: ShownProblem) => string;
  close: () => void;
  onSubmit: (form: FormData) => void;
}

/** Makes one change, and is open while it is mounted. Its fields show the errors that are about them. */
export function ChangeDialog({ change, detailOf, close, onSubmit, children, ...props }: ChangeDialogProps) {
  const { problem, errorOf, sent } = useFormProblem(change.error);
  return (
    <FormDialog
      {...props}
      open
      onOpenChange={close}
      problem={problem && { ...problem, ...(detailOf && { detail: detailOf(problem) }) }}
      busy={change.isPending}
      onSubmit={(form, element) => {
        sent(element);
        onSubmit(form);
      }}
    >
      <FieldErrors value={errorOf}>{children}</FieldErrors>
    </FormDialog>
  );
}

interface SecretDialogProps {
  title: string;
  description: ReactNode;
  secret: string;
  /** Name of the secret: "token". */
  what: string;
  children?: ReactNode;
  close: () => void;
}

/** The secret is shown only once, so neither Escape nor the backdrop closes the dialog. */
export function SecretDialog({ title, description, secret, what, children, close }: SecretDialogProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => setCopied((await copyText(secret, what)) || copied);
  const Icon = copied ? Check : Copy;
  return (
    <Dialog open onOpenChange={() => undefined} title={title} description={description}>
      <div className="mt-4 flex flex-col gap-4">
        <CodeBlock code={secret} what={what} copy={false} wraps />
        {children}
        <div className="flex justify-end gap-2">
          <Button autoFocus variant={copied ? "secondary" : "primary"} onClick={() => void copy()}>
            <Icon aria-hidden size={14} />
            <span aria-live="polite">{copied ? "Copied" : `Copy ${what}`}</span>
          </Button>
          <Button variant={copied ? "primary" : "secondary"} onClick={close}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
