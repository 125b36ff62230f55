"use client";
import { LoaderCircle } from "lucide-react";
import { signIn } from "next-auth/react";
import { useSyncExternalStore } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../ui/button";
import { Field, Input } from "../ui/field";
import { failureMessage } from "./failure-words";

interface Credentials {
  email: string;
  password: string;
}

const UNREACHABLE = "Cannot reach the service. Check your network connection, then try again.";

interface SignInFormProps {
  /** Where to go after sign-in. */
  path: string;
  /** Why an earlier sign-in failed. */
  failure: string | undefined;
  /** Name of the single sign-on provider, if configured. */
  provider: string | undefined;
}

export function SignInForm({ path, failure, provider }: SignInFormProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm<Credentials>();
  const { errors, isSubmitting, isSubmitSuccessful } = formState;
  const message = errors.root?.message ?? (isSubmitting ? undefined : failure);
  const busy = isSubmitting || isSubmitSuccessful;
  // Before hydration the browser itself would submit the form, losing the input and possibly exposing it in the URL.
  const hydrated = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );

  const submit = async (credentials: Credentials) => {
    // Without a callback URL, the reply repeats this page's URL, and an `error` in it would look like a new failure.
    const callbackUrl = location.origin + path;
    const reply = await signIn("credentials", { ...credentials, redirect: false, callbackUrl }).catch(
      () => undefined,
    );
    if (reply?.ok && !reply.error) {
      location.assign(path);
      return;
    }
    setError("root", { message: reply?.error ? failureMessage(reply.error) : UNREACHABLE });
    setFocus("password");
  };

  return (
    <form
      noValidate
      method="post"
      onSubmit={handleSubmit(submit)}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-5"
    >
      {message && (
        <p role="alert" className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
          {message}
        </p>
      )}
      <Field label="Email" error={errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("email", { required: "Enter your email." })}
            type="email"
            // The page has no other purpose.
            autoFocus
            autoComplete="username"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Password" error={errors.password?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("password", { required: "Enter your password." })}
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="large" disabled={busy || !hydrated}>
        {busy && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
        Sign in
      </Button>
      {provider && <SignInWithProvider name={provider} path={path} disabled={busy || !hydrated} />}
    </form>
  );
}

function SignInWithProvider({ name, path, disabled }: { name: string; path: string; disabled: boolean }) {
  return (
    <>
      <div aria-hidden className="flex items-center gap-3 text-label text-muted">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
      <Button size="large" disabled={disabled} onClick={() => void signIn("oidc", { callbackUrl: path })}>
        Sign in with {name}
      </Button>
    </>
  );
}
