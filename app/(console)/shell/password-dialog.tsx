import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { NewPassword, newPasswordError, signInWith } from "@/app/(console)/new-password";
import { useStaff } from "@/app/(console)/staff";
import { betweenSessions } from "@/app/data/query-client";
import { useTRPCClient } from "@/app/data/trpc";
import { MutationDialog } from "@/app/ui/dialogs";
import { TextField } from "@/app/ui/fields";
import { notify } from "@/app/ui/toast";

/** A new password ends all sessions; this browser signs in again. */
export default function PasswordDialog({ close }: { close: () => void }) {
  const { email } = useStaff();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [error, setError] = useState<ReturnType<typeof newPasswordError>>(null);
  const [oldError, setOldError] = useState<string>();
  const inputOf = (form: FormData) => {
    const oldPassword = String(form.get("old") ?? "");
    const found = newPasswordError(form);
    setOldError(oldPassword ? undefined : "Enter your current password.");
    setError(found);
    if (oldPassword && !found) return { oldPassword, newPassword: String(form.get("password")) };
  };
  return (
    <MutationDialog
      options={{
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
      }}
      close={close}
      title="Change password"
      description="You stay signed in here and are signed out everywhere else."
      inputOf={inputOf}
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
    </MutationDialog>
  );
}
