"use client";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { Button } from "@/app/ui/button";
import { TextField } from "@/app/ui/fields";
import { useHydrated } from "@/app/ui/hooks";
import { EmailField, PageForm } from "./page-form";
import { failureMessage } from "./sign-in-errors";

const UNREACHABLE = "Cannot reach the service. Check your network connection, then try again.";

interface SignInFormProps {
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
  const hydrated = useHydrated();

  const submit = async (fields: FormData, form: HTMLFormElement) => {
    const focus = (name: "email" | "password") =>
      form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
    const [email, password] = [String(fields.get("email")), String(fields.get("password"))];
    setErrors({
      email: email ? undefined : "Enter your email.",
      password: password ? undefined : "Enter your password.",
    });
    if (!email || !password) return focus(email ? "password" : "email");
    setBusy(true);
    setMessage(undefined);
    // Without it, the reply repeats this page's URL, and an `error` in that would look like a new failure.
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
    <PageForm
      error={message}
      submit="Sign in"
      busy={busy}
      onSubmit={(fields, form) => void submit(fields, form)}
      onInput={() => setErrors({})}
      below={
        provider && (
          <>
            <div aria-hidden className="flex items-center gap-3 hint">
              <span className="h-px flex-1 bg-line" />
              or
              <span className="h-px flex-1 bg-line" />
            </div>
            <Button
              size="large"
              disabled={busy || !hydrated}
              onClick={() => void signIn("oidc", { callbackUrl: path })}
            >
              Sign in with {provider}
            </Button>
          </>
        )
      }
    >
      <EmailField error={errors.email} />
      <TextField
        label="Password"
        error={errors.password}
        name="password"
        type="password"
        autoComplete="current-password"
      />
    </PageForm>
  );
}
