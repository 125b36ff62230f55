"use client";
import { useMutation } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { type SubmitEvent, useState, useSyncExternalStore } from "react";
import { problemOf } from "../data/problem";
import { useTRPC } from "../data/trpc";
import { Button } from "../ui/button";
import { Field, Input } from "../ui/field";

const CARD = "flex flex-col gap-4 rounded-card border border-line bg-surface p-5";
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function ForgotPasswordForm() {
  const trpc = useTRPC();
  const [error, setError] = useState<string>();
  const ask = useMutation(trpc.console.staff.requestReset.mutationOptions());
  // Before hydration the browser itself would submit the form.
  const hydrated = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  if (ask.isSuccess) {
    return (
      <div role="status" className={CARD}>
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
    const email = String(new FormData(event.currentTarget).get("email") ?? "").trim();
    const isWrong = !EMAIL.test(email);
    setError(isWrong ? "Enter your email address, such as name@example.com." : undefined);
    if (!isWrong) ask.mutate({ email });
  };
  return (
    <form noValidate method="post" onSubmit={submit} className={CARD}>
      {ask.error && (
        <p role="alert" className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
          {problemOf(ask.error).detail}
        </p>
      )}
      <Field label="Email" error={error}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            // The page has no other purpose.
            autoFocus
            autoComplete="username"
            spellCheck={false}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="large" disabled={ask.isPending || !hydrated}>
        {ask.isPending && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
        Send link
      </Button>
    </form>
  );
}
