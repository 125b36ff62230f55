import { TextField } from "@/app/ui/fields";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "@/server/kernel/context";

/** @returns whether this browser is signed in now */
export async function signInWith(email: string, password: string): Promise<boolean> {
  const { signIn } = await import("next-auth/react");
  const reply = await signIn("credentials", { email, password, redirect: false }).catch(() => undefined);
  return Boolean(reply?.ok && !reply.error);
}

type PasswordError = { password?: string; repeated?: string } | null;

export function newPasswordError(form: FormData): PasswordError {
  const password = String(form.get("password") ?? "");
  if (password.length < PASSWORD_LENGTH_MIN || password.length > PASSWORD_LENGTH_MAX)
    return { password: `Use ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.` };
  return password === form.get("repeated") ? null : { repeated: "The passwords do not match." };
}

export const NewPassword = ({ error }: { error: PasswordError }) => (
  <>
    <TextField
      label="New password"
      hint={`At least ${PASSWORD_LENGTH_MIN} characters. A short sentence is easy to remember.`}
      error={error?.password}
      name="password"
      type="password"
      autoComplete="new-password"
    />
    <TextField
      label="Repeat new password"
      error={error?.repeated}
      name="repeated"
      type="password"
      autoComplete="new-password"
    />
  </>
);
