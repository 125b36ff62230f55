"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { problemOf } from "../../data/problem";
import { betweenSessions } from "../../data/query-client";
import { useTRPCClient } from "../../data/trpc";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, Input } from "../../ui/field";
import { notify } from "../../ui/toast";
import { NewPassword, newPasswordError } from "../../welcome/new-password";

interface PasswordDialogProps {
  email: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A new password ends all sessions; this browser signs in again. */
export function PasswordDialog({ email, open, onOpenChange }: PasswordDialogProps) {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [error, setError] = useState<ReturnType<typeof newPasswordError>>(null);
  const [oldError, setOldError] = useState<string>();
  const change = useMutation({
    mutationFn: (input: { oldPassword: string; newPassword: string }) =>
      betweenSessions(async () => {
        await client.console.staff.changeOwnPassword.mutate(input);
        return signInAgain(email, input.newPassword);
      }),
    onSuccess: (isSignedIn) => {
      if (!isSignedIn) return location.assign("/sign-in");
      notify("success", "Password changed. Your other sessions were signed out.");
      onOpenChange(false);
      void queryClient.invalidateQueries();
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const oldPassword = String(form.get("old") ?? "");
    const found = newPasswordError(form);
    setOldError(oldPassword ? undefined : "Enter your current password.");
    setError(found);
    if (oldPassword && !found) change.mutate({ oldPassword, newPassword: String(form.get("password")) });
  };
  const busy = change.isPending;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Change password"
      description="You stay signed in here and are signed out everywhere else."
    >
      <form onSubmit={submit} noValidate method="post" className="mt-4 flex flex-col gap-4">
        {change.error && (
          <p role="alert" className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
            {problemOf(change.error).detail}
          </p>
        )}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <Field label="Current password" error={oldError}>
          {(control) => (
            <Input {...control} name="old" type="password" autoComplete="current-password" autoFocus />
          )}
        </Field>
        <NewPassword error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={busy}>
            {busy && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
            Change password
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

async function signInAgain(email: string, password: string): Promise<boolean> {
  const { signIn } = await import("next-auth/react");
  const reply = await signIn("credentials", { email, password, redirect: false }).catch(() => undefined);
  return Boolean(reply?.ok && !reply.error);
}
