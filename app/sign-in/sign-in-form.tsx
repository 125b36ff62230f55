"use client";
import { LoaderCircle } from "lucide-react";
import { signIn } from "next-auth/react";
import { useSyncExternalStore } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../ui/button";
import { Field, Input } from "../ui/field";

interface Credentials {
  email: string;
  password: string;
}

const FAILURES: Record<string, string> = {
  CredentialsSignin: "The e-mail or the password is not right.",
  unavailable: "The service is away for a moment. Try again in a minute.",
  rate_limited: "Too many tries. Wait a minute, then try again.",
};
const UNREACHABLE = "The service cannot be reached. Check the network, then try again.";

export function SignInForm({ path }: { path: string }) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm<Credentials>();
  const { errors, isSubmitting, isSubmitSuccessful } = formState;
  const busy = isSubmitting || isSubmitSuccessful;
  // A submit before the script runs would be the browser's own: it loses what was typed, and could show it in the address.
  const hydrated = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );

  const submit = async (credentials: Credentials) => {
    const reply = await signIn("credentials", { ...credentials, redirect: false }).catch(() => undefined);
    if (reply?.ok && !reply.error) {
      location.assign(path);
      return;
    }
    const failure = reply?.error;
    setError("root", {
      message: failure ? (FAILURES[failure] ?? "Signing in failed. Try again.") : UNREACHABLE,
    });
    setFocus("password");
  };

  return (
    <form
      noValidate
      method="post"
      onSubmit={handleSubmit(submit)}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-5"
    >
      {errors.root && (
        <p role="alert" className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
          {errors.root.message}
        </p>
      )}
      <Field label="E-mail" error={errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("email", { required: "Write your e-mail." })}
            type="email"
            autoComplete="username"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Password" error={errors.password?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("password", { required: "Write your password." })}
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="large" disabled={busy || !hydrated}>
        {busy && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
        Sign in
      </Button>
    </form>
  );
}
