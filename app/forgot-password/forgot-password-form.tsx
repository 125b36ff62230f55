"use client";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/app/data/trpc";
import { EmailField, PageForm } from "@/app/sign-in/page-form";
import { textOf } from "@/app/ui/fields";
import { FORM_CARD } from "@/app/ui/form-page";

export function ForgotPasswordForm() {
  const ask = useMutation(useTRPC().console.staff.requestReset.mutationOptions());
  if (ask.isSuccess) {
    return (
      <div role="status" className={FORM_CARD}>
        <p>
          If <span className="wrap-anywhere font-medium">{ask.variables.email}</span> belongs to a team member
          who signs in with a password, an email with a link is on its way. The link works once, for an hour.
        </p>
        <p className="hint">
          No email after a few minutes? Check your spam folder, then ask an admin for a link.
        </p>
      </div>
    );
  }
  return (
    <PageForm
      error={ask.error}
      submit="Send link"
      busy={ask.isPending}
      onSubmit={(form) => ask.mutate({ email: textOf(form, "email") })}
    >
      <EmailField />
    </PageForm>
  );
}
