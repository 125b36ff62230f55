"use client";
import { LoaderCircle } from "lucide-react";
import { signIn } from "next-auth/react";
import { useSyncExternalStore } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../ui/button";
import { Field, Input } from "../ui/field";
import { failureWords } from "./failure-words";

interface Credentials {
  email: string;
  password: string;
}

const UNREACHABLE = "The service cannot be reached. Check the network, then try again.";

interface SignInFormProps {
  /** Where to go after. */
  path: string;
  /** What went wrong on the way here, in words. */
  failure: string | undefined;
  /** The name of the issuer that people may sign in at instead. */
  elsewhere: string | undefined;
}

export function SignInForm({ path, failure, elsewhere }: SignInFormProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm<Credentials>();
  const { errors, isSubmitting, isSubmitSuccessful } = formState;
  const message = errors.root?.message ?? (isSubmitting ? undefined : failure);
  const busy = isSubmitting || isSubmitSuccessful;
  // A submit before the script runs would be the browser's own: it loses what was typed, and could show it in the address.
  const hydrated = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );

  const submit = async (credentials: Credentials) => {
    // Without an address of its own the reply repeats this page's, and an `error` in that reads as a new failure.
    const callbackUrl = location.origin + path;
    const reply = await signIn("credentials", { ...credentials, redirect: false, callbackUrl }).catch(
      () => undefined,
    );
    if (reply?.ok && !reply.error) {
      location.assign(path);
      return;
    }
    setError("root", { message: reply?.error ? failureWords(reply.error) : UNREACHABLE });
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
      <Field label="E-mail" error={errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("email", { required: "Write your e-mail." })}
            type="email"
            // The page asks for nothing else: whoever opens it came to write here.
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
      {elsewhere && <SignInElsewhere name={elsewhere} path={path} disabled={busy || !hydrated} />}
    </form>
  );
}

function SignInElsewhere({ name, path, disabled }: { name: string; path: string; disabled: boolean }) {
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
