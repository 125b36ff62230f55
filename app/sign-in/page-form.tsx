"use client";
import type { FormEvent, ReactNode, SubmitEvent } from "react";
import { Alert } from "@/app/ui/alert";
import { Button } from "@/app/ui/button";
import { FieldErrors, TextField, useFormProblem } from "@/app/ui/fields";
import { FORM_CARD } from "@/app/ui/form-page";
import { useHydrated } from "@/app/ui/hooks";

interface PageFormProps {
  /** What a request failed with, or a message. */
  error: unknown;
  submit: string;
  busy: boolean;
  onSubmit: (form: FormData, element: HTMLFormElement) => void;
  onInput?: (event: FormEvent) => void;
  below?: ReactNode;
  children: ReactNode;
}

/** Disabled until React handles events: submitting before would lose the input, or put it into the URL. */
export function PageForm({ error, submit, busy, onSubmit, onInput, below, children }: PageFormProps) {
  const hydrated = useHydrated();
  const { problem, errorOf, sent } = useFormProblem(error);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    sent(event.currentTarget);
    onSubmit(new FormData(event.currentTarget), event.currentTarget);
  };
  return (
    <form noValidate method="post" onSubmit={send} onInput={onInput} className={FORM_CARD}>
      {problem && <Alert>{typeof error === "string" ? error : problem.detail}</Alert>}
      <FieldErrors value={errorOf}>{children}</FieldErrors>
      <Button type="submit" variant="primary" size="large" busy={busy} disabled={!hydrated}>
        {submit}
      </Button>
      {below}
    </form>
  );
}

/** The first field of the page, which has no other purpose. */
export const EmailField = ({ error }: { error?: string }) => (
  <TextField
    label="Email"
    error={error}
    name="email"
    type="email"
    autoFocus
    autoComplete="username"
    spellCheck={false}
  />
);
