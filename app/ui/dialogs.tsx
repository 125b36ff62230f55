"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { Check, Copy } from "lucide-react";
import { createContext, type ReactNode, type SubmitEvent, use, useRef, useState } from "react";
import type { ShownProblem } from "@/app/data/problem";
import { Alert } from "@/app/ui/alert";
import { Button } from "@/app/ui/button";
import { CodeBlock } from "@/app/ui/code-block";
import { copyText } from "@/app/ui/copy-button";
import { DialogTitle, Field, FieldErrors, submitOnKeys, TextArea, useFormProblem } from "@/app/ui/fields";

interface DialogProps {
  /** Called by Escape, and by a click outside. */
  close: () => void;
  title: string;
  description: ReactNode;
  /**
   * Receives the focus after closing. By default, or for null, it returns to what opened the dialog. False
   * leaves the focus to the dialog that follows.
   */
  finalFocus?: (() => HTMLElement | null | false) | undefined;
  children?: ReactNode;
}

/** What opened the first of two dialogs that follow each other. */
const OpenerContext = createContext<HTMLElement | null>(null);
const findFocus = () => globalThis.document?.querySelector<HTMLElement>(":focus") ?? null;

/** Is open while it is mounted. */
export function Dialog({ close, title, description, finalFocus, children }: DialogProps) {
  const first = use(OpenerContext);
  // Base UI remembers the focus only after an `autoFocus` field has taken it.
  const [opener] = useState(() => first ?? findFocus());
  const returnTo = () => finalFocus?.() ?? (opener?.isConnected ? opener : null);
  return (
    <Base.Root open onOpenChange={close}>
      <Base.Portal>
        <Base.Backdrop forceRender className="overlay-motion fixed inset-0 z-40 bg-black/40" />
        <Base.Popup
          finalFocus={returnTo}
          onKeyDown={submitOnKeys}
          className="overlay -translate-1/2 fixed top-1/2 left-1/2 z-50
            w-[480px] max-w-[calc(100vw-32px)] p-5"
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

export interface ChangeDialogProps extends DialogProps {
  change: { error: unknown; isPending: boolean };
  detailOf?: (problem: ShownProblem) => string;
  cancel?: string;
  /** Label of the submit button. Without it, there is nothing to submit. */
  submit: string | undefined;
  danger?: boolean;
  onSubmit: (form: FormData) => void;
}

const REASON_CHARS_MIN = 3;
const REASON_CHARS_MAX = 500;
const REASON_TOO_SHORT = `Enter a reason of at least ${REASON_CHARS_MIN} characters.`;

/** Read with `textOf(form, "reason")`: its dialog sends nothing while it is too short. */
export const ReasonField = ({ hint, autoFocus }: { hint: string; autoFocus?: boolean }) => (
  <Field label="Reason" name="reason" hint={hint}>
    {(control) => (
      <TextArea {...control} name="reason" rows={3} maxLength={REASON_CHARS_MAX} autoFocus={autoFocus} />
    )}
  </Field>
);

/** Whether the form asks for a reason that is missing, which then gets the focus. */
function lacksReason({ elements }: HTMLFormElement): boolean {
  const field = elements.namedItem("reason");
  if (!(field instanceof HTMLTextAreaElement)) return false;
  const isShort = field.value.trim().length < REASON_CHARS_MIN;
  if (isShort) field.focus();
  return isShort;
}

const EXPECTED: readonly string[] = ["validation_failed", "not_allowed", "not_cancellable"];

/** Cannot be closed while it makes its change: the user must see the outcome. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { change, detailOf, close, cancel = "Cancel", submit, danger, onSubmit, children, ...dialog } = props;
  const { problem, errorOf, sent } = useFormProblem(change.error);
  const [isShort, setShort] = useState(false);
  const errorOfField = (name: string) => (isShort && name === "reason" ? REASON_TOO_SHORT : errorOf(name));
  // An expected error needs no title and no request ID.
  const isExpected = EXPECTED.includes(problem?.code ?? "");
  const closeUnlessBusy = () => {
    if (!change.isPending) close();
  };
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const isWithout = lacksReason(form);
    setShort(isWithout);
    if (change.isPending || isWithout) return;
    sent(form);
    onSubmit(new FormData(form));
  };
  return (
    <Dialog {...dialog} close={closeUnlessBusy}>
      <form onSubmit={send} noValidate className="mt-4 flex flex-col gap-4">
        {problem && (
          <Alert {...(!isExpected && { title: problem.title, requestId: problem.requestId })}>
            {detailOf ? detailOf(problem) : problem.detail}
          </Alert>
        )}
        <DialogTitle value={dialog.title}>
          <FieldErrors value={errorOfField}>{children}</FieldErrors>
        </DialogTitle>
        <div
          className="flex justify-end gap-2 *:last:h-auto *:last:min-h-8 *:last:shrink
            *:last:whitespace-normal"
        >
          <Button disabled={change.isPending} onClick={close}>
            {cancel}
          </Button>
          {submit && (
            <Button type="submit" variant={danger ? "danger" : "primary"} busy={change.isPending}>
              {submit}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

interface MutationDialogProps<Input, Reply, Failure>
  extends Omit<ChangeDialogProps, "change" | "submit" | "onSubmit"> {
  options: UseMutationOptions<Reply, Failure, Input>;
  /** By default the title. */
  submit?: string;
  /** What the form asks for. Undefined while it is incomplete, and shows what is missing. */
  inputOf: (form: FormData) => NoInfer<Input> | undefined;
  /** Is shown in place of the form once the change is made. */
  result?: (reply: Reply, input: Input) => ReactNode;
}

/** Makes one change: a mutation of what its form says. */
export function MutationDialog<Input, Reply, Failure>(props: MutationDialogProps<Input, Reply, Failure>) {
  const { options, inputOf, result, submit = props.title, ...dialog } = props;
  const change = useMutation(options);
  const [opener] = useState(findFocus);
  const isFollowed = useRef(false);
  if (result && change.isSuccess)
    return <OpenerContext value={opener}>{result(change.data, change.variables)}</OpenerContext>;
  const onSuccess = () => {
    isFollowed.current = result !== undefined;
  };
  const send = (form: FormData) => {
    const input = inputOf(form);
    if (input !== undefined) change.mutate(input, { onSuccess });
  };
  const finalFocus = () => !isFollowed.current && (dialog.finalFocus?.() ?? null);
  return <ChangeDialog {...dialog} change={change} submit={submit} finalFocus={finalFocus} onSubmit={send} />;
}

interface SecretDialogProps {
  title: string;
  description: ReactNode;
  secret: string;
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
    <Dialog close={() => undefined} title={title} description={description}>
      <div className="mt-4 flex flex-col gap-4">
        <CodeBlock code={secret} what={what} copy={false} wraps />
        {children}
        <div className="flex justify-end gap-2">
          <Button autoFocus variant={copied ? "secondary" : "primary"} onClick={() => void copy()}>
            <Icon size={14} />
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
