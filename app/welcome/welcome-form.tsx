"use client";
import { useMutation } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { signIn } from "next-auth/react";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { problemOf } from "../data/problem";
import { useTRPC } from "../data/trpc";
import { Button, buttonLook } from "../ui/button";
import { Skeleton } from "../ui/skeleton";
import { NewPassword, newPasswordError } from "./new-password";
import { useInvitation } from "./use-invitation";

export function WelcomeForm() {
  const { token, query } = useInvitation();
  if (token === "") {
    return <DeadEnd title="This link is incomplete">Open the link exactly as it was sent to you.</DeadEnd>;
  }
  if (query.isError) {
    const problem = problemOf(query.error);
    const isInvalid = problem.code === "validation_failed";
    return (
      <DeadEnd title={isInvalid ? "This link is no longer valid" : problem.title}>
        {isInvalid ? "Links work once and for a limited time. Ask an admin for a new one." : problem.detail}
        {!isInvalid && (
          <Button className="mt-3" onClick={() => void query.refetch()}>
            Try again
          </Button>
        )}
      </DeadEnd>
    );
  }
  if (!query.data || !token) return <FormSkeleton />;
  return <PasswordForm token={token} email={query.data.email} role={query.data.role} />;
}

const CARD = "flex flex-col gap-4 rounded-card border border-line bg-surface p-5";

function PasswordForm({ token, email, role }: { token: string; email: string; role: string }) {
  const trpc = useTRPC();
  const [error, setError] = useState<ReturnType<typeof newPasswordError>>(null);
  const accept = useMutation(
    trpc.console.staff.acceptInvitation.mutationOptions({
      onSuccess: async (_person, { password }) => {
        const reply = await signIn("credentials", { email, password, redirect: false }).catch(
          () => undefined,
        );
        // Replaces the entry, so that Back does not lead to a used link.
        location.replace(reply?.ok && !reply.error ? "/batches" : "/sign-in");
      },
    }),
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const found = newPasswordError(form);
    setError(found);
    if (!found) accept.mutate({ token, password: String(form.get("password")) });
  };
  const busy = accept.isPending || accept.isSuccess;
  return (
    <form onSubmit={submit} noValidate method="post" className={CARD}>
      {accept.error && (
        <p role="alert" className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
          {problemOf(accept.error).detail}
        </p>
      )}
      <p className="text-table">
        For <span className="wrap-anywhere font-medium">{email}</span> ({role})
      </p>
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <NewPassword error={error} />
      <Button type="submit" variant="primary" size="large" disabled={busy}>
        {busy && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
        Set password and sign in
      </Button>
    </form>
  );
}

function DeadEnd({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="alert" className={`${CARD} items-center text-center`}>
      <h2 className="font-semibold text-body">{title}</h2>
      <div className="flex flex-col items-center text-muted">{children}</div>
      <a href="/sign-in" className={buttonLook()}>
        Go to sign in
      </a>
    </div>
  );
}

function FormSkeleton() {
  return (
    <div role="status" aria-label="Loading invitation" className={CARD}>
      <Skeleton className="h-5 w-64" />
      <Skeleton className="h-[58px] w-full" />
      <Skeleton className="h-[58px] w-full" />
      <Skeleton className="h-10 w-full" />
    </div>
  );
}
