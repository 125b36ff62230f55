"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { NewPassword, newPasswordError, signInWith } from "@/app/(console)/new-password";
import { problemOf } from "@/app/data/problem";
import { useTRPC, useTRPCClient } from "@/app/data/trpc";
import { PageForm } from "@/app/sign-in/page-form";
import { Button } from "@/app/ui/button";
import { buttonLook } from "@/app/ui/button-look";
import { FORM_CARD } from "@/app/ui/form-page";
import { Skeleton } from "@/app/ui/states";

export function WelcomeForm() {
  const client = useTRPCClient();
  // Null during server-side rendering, and empty when the URL has none.
  const token = useSyncExternalStore(
    onHashChange,
    () => location.hash.slice(1),
    () => null,
  );
  const query = useQuery({
    queryKey: ["invitation", token],
    // A mutation only to send the secret in the body: URLs end up in logs.
    queryFn: ({ signal }) => client.console.staff.openInvitation.mutate({ token: token ?? "" }, { signal }),
    enabled: Boolean(token),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (token === "") {
    return <DeadEnd title="This link is incomplete">Open the link exactly as it was sent to you.</DeadEnd>;
  }
  if (query.isError) {
    const { code, title, detail } = problemOf(query.error);
    const isInvalid = code === "validation_failed";
    return (
      <DeadEnd title={isInvalid ? "This link is no longer valid" : title}>
        {detail}
        {!isInvalid && (
          <Button className="mt-3" onClick={() => void query.refetch()}>
            Try again
          </Button>
        )}
      </DeadEnd>
    );
  }
  if (!query.data || !token)
    return (
      <div role="status" aria-label="Loading invitation" className={FORM_CARD}>
        <Skeleton className="h-52 w-full" />
      </div>
    );
  return <PasswordForm token={token} email={query.data.email} role={query.data.role} />;
}

function PasswordForm({ token, email, role }: { token: string; email: string; role: string }) {
  const [error, setError] = useState<ReturnType<typeof newPasswordError>>(null);
  const accept = useMutation(
    useTRPC().console.staff.acceptInvitation.mutationOptions({
      onSuccess: async (_person, { password }) => {
        // Replaces the entry, so that Back does not lead to a used link.
        location.replace((await signInWith(email, password)) ? "/batches" : "/sign-in");
      },
    }),
  );
  const submit = (form: FormData) => {
    const found = newPasswordError(form);
    setError(found);
    if (!found) accept.mutate({ token, password: String(form.get("password")) });
  };
  return (
    <PageForm
      error={accept.error}
      submit="Set password and sign in"
      busy={accept.isPending || accept.isSuccess}
      onSubmit={submit}
    >
      <p className="text-table">
        For <span className="wrap-anywhere font-medium">{email}</span> ({role})
      </p>
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <NewPassword error={error} />
    </PageForm>
  );
}

function DeadEnd({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="alert" className={`${FORM_CARD} items-center text-center`}>
      <h2 className="font-semibold text-body">{title}</h2>
      <div className="flex flex-col items-center text-muted">{children}</div>
      <a href="/sign-in" className={buttonLook()}>
        Go to sign in
      </a>
    </div>
  );
}

function onHashChange(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
