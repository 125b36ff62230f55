import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { FormPage, QUIET_LINK } from "@/app/ui/form-page";
import { mailIsOn } from "@/server/mail/send-mail";
import { ForgotPasswordForm } from "./forgot-password-form";

export const metadata: Metadata = { title: "Reset your password" };
// Whether the service sends mail is known when it runs, not when it is built.
export const dynamic = "force-dynamic";

export default function ForgotPasswordPage() {
  if (!mailIsOn()) redirect("/sign-in");
  return (
    <FormPage title="Reset your password" lead="We’ll email you a link to set a new password.">
      <ForgotPasswordForm />
      <p className="mt-4 text-center text-label">
        <a href="/sign-in" className={QUIET_LINK}>
          Back to sign in
        </a>
      </p>
    </FormPage>
  );
}
