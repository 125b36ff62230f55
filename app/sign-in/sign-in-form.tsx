"use client";
import { signIn } from "next-auth/react";
import { type SubmitEvent, useState } from "react";
import { Alert } from "@/app/ui/alert";
import { Button } from "@/app/ui/button";
import { TextField } from "@/app/ui/fields";
import { FORM_CARD } from "@/app/ui/form-page";
import { useHydrated } from "@/app/ui/hooks";
import { failureMessage } from "./sign-in-errors";

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
  const [errors, setErrors] = useState<{ email?: string; password?: string }>({});
  const [message, setMessage] = useState(failure);
  const [busy, setBusy] = useState(false);
  // Until then, submitting would lose the input, and might put it into the URL.
  const hydrated = useHydrated();

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const focus = (name: "email" | "password") =>
      form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
    const fields = new FormData(form);
    const [email, password] = [String(fields.get("email")), String(fields.get("password"))];
    setErrors({
      email: email ? undefined : "Enter your email.",
      password: password ? undefined : "Enter your password.",
    });
    if (!email || !password) return focus(email ? "password" : "email");
    setBusy(true);
    setMessage(undefined);
    // Without a callback URL, the reply repeats this page's URL, and an `error` in it would look like a new failure.
    const callbackUrl = location.origin + path;
    const reply = await signIn("credentials", { email, password, redirect: false, callbackUrl }).catch(
      () => undefined,
    );
    if (reply?.ok && !reply.error) return location.assign(path);
    setBusy(false);
    setMessage(reply?.error ? failureMessage(reply.error) : UNREACHABLE);
    focus("password");
  };

  return (
    <form
      noValidate
      method="post"
      onSubmit={(event) => void submit(event)}
      onInput={() => setErrors({})}
      className={FORM_CARD}
    >
      {message && <Alert>{message}</Alert>}
      <TextField
        label="Email"
        error={errors.email}
        name="email"
        type="email"
        // The page has no other purpose.
        autoFocus
        autoComplete="username"
        spellCheck={false}
      />
      <TextField
        label="Password"
        error={errors.password}
        name="password"
        type="password"
        autoComplete="current-password"
      />
      <Button type="submit" variant="primary" size="large" busy={busy} disabled={!hydrated}>
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
