"use client";
import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { Alert } from "@/app/ui/alert";
import { Button } from "@/app/ui/button";
import { EMAIL_PATTERN, TextField, textOf } from "@/app/ui/fields";
import { FORM_CARD } from "@/app/ui/form-page";
import { useHydrated } from "@/app/ui/hooks";
import { problemOf } from "../data/problem";
import { useTRPC } from "../data/trpc";

export function ForgotPasswordForm() {
  const trpc = useTRPC();
  const [error, setError] = useState<string>();
  const ask = useMutation(trpc.console.staff.requestReset.mutationOptions());
  const hydrated = useHydrated();
  if (ask.isSuccess) {
    return (
      <div role="status" className={FORM_CARD}>
        <p>
          If <span className="wrap-anywhere font-medium">{ask.variables.email}</span> belongs to a team member
          who signs in with a password, an email with a link is on its way. The link works once, for an hour.
        </p>
        <p className="text-label text-muted">
          No email after a few minutes? Check your spam folder, then ask an admin for a link.
        </p>
      </div>
    );
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = textOf(new FormData(event.currentTarget), "email");
    const isValid = EMAIL_PATTERN.test(email);
    setError(isValid ? undefined : "Enter your email address, such as name@example.com.");
    if (isValid) ask.mutate({ email });
  };
  return (
    <form noValidate method="post" onSubmit={submit} className={FORM_CARD}>
      {ask.error && <Alert>{problemOf(ask.error).detail}</Alert>}
      <TextField
        label="Email"
        error={error}
        name="email"
        type="email"
        // The page has no other purpose.
        autoFocus
        autoComplete="username"
        spellCheck={false}
      />
      <Button type="submit" variant="primary" size="large" busy={ask.isPending} disabled={!hydrated}>
        Send link
      </Button>
    </form>
  );
}
