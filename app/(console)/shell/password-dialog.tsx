"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ChangeDialog } from "@/app/ui/dialogs";
import { TextField } from "@/app/ui/fields";
import { betweenSessions } from "../../data/query-client";
import { useTRPCClient } from "../../data/trpc";
import { notify } from "../../ui/toast";
import { NewPassword, newPasswordError, signInWith } from "../../welcome/new-password";
import { useStaff } from "../staff";

/** A new password ends all sessions; this browser signs in again. */
export default function PasswordDialog({ close }: { close: () => void }) {
  const { email } = useStaff();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [error, setError] = useState<ReturnType<typeof newPasswordError>>(null);
  const [oldError, setOldError] = useState<string>();
  const change = useMutation({
    mutationFn: (input: { oldPassword: string; newPassword: string }) =>
      betweenSessions(async () => {
        await client.console.staff.changeOwnPassword.mutate(input);
        return signInWith(email, input.newPassword);
      }),
    onSuccess: (isSignedIn) => {
      if (!isSignedIn) return location.assign("/sign-in");
      notify("success", "Password changed. Your other sessions were signed out.");
      close();
      void queryClient.invalidateQueries();
    },
  });
  const submit = (form: FormData) => {
    const oldPassword = String(form.get("old") ?? "");
    const found = newPasswordError(form);
    setOldError(oldPassword ? undefined : "Enter your current password.");
    setError(found);
    if (oldPassword && !found) change.mutate({ oldPassword, newPassword: String(form.get("password")) });
  };
  return (
    <ChangeDialog
      change={change}
      close={close}
      title="Change password"
      description="You stay signed in here and are signed out everywhere else."
      submit="Change password"
      onSubmit={submit}
    >
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <TextField
        label="Current password"
        error={oldError}
        name="old"
        type="password"
        autoComplete="current-password"
        autoFocus
      />
      <NewPassword error={error} />
    </ChangeDialog>
  );
}
