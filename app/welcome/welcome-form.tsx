"use client";
import { useMutation } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { signIn } from "next-auth/react";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { problemOf } from "../data/problem";
import { useTRPC } from "../data/trpc";
import { Button, buttonLook } from "../ui/button";
import { Skeleton } from "../ui/skeleton";
import { NewPassword, newPasswordFault } from "./new-password";
import { useInvitation } from "./use-invitation";

export function WelcomeForm() {
  const { token, query } = useInvitation();
  if (token === "") {
    return (
      <DeadEnd title="This address lacks its secret part">
        Open the link exactly as it was sent to you.
      </DeadEnd>
    );
  }
  if (query.isError) {
    const problem = problemOf(query.error);
    const ended = problem.code === "validation_failed";
    return (
      <DeadEnd title={ended ? "This link has ended" : problem.title}>
        {ended ? "Each works once, for three days. Ask an admin for a new one." : problem.detail}
        {!ended && (
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
  const [fault, setFault] = useState<ReturnType<typeof newPasswordFault>>(null);
  const accept = useMutation(
    trpc.console.staff.acceptInvitation.mutationOptions({
      onSuccess: async (_person, { password }) => {
        const reply = await signIn("credentials", { email, password, redirect: false }).catch(
          () => undefined,
        );
        // Replaced, so that Back does not lead to a link that has ended.
        location.replace(reply?.ok && !reply.error ? "/batches" : "/sign-in");
      },
    }),
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const found = newPasswordFault(form);
    setFault(found);
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
        For <span className="wrap-anywhere font-medium">{email}</span>, with the role {role}.
      </p>
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <NewPassword fault={fault} />
      <Button type="submit" variant="primary" size="large" disabled={busy}>
        {busy && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
        Choose password and sign in
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
        Go to sign-in
      </a>
    </div>
  );
}

function FormSkeleton() {
  return (
    <div role="status" aria-label="Loading the invitation" className={CARD}>
      <Skeleton className="h-5 w-64" />
      <Skeleton className="h-[58px] w-full" />
      <Skeleton className="h-[58px] w-full" />
      <Skeleton className="h-10 w-full" />
    </div>
  );
}
