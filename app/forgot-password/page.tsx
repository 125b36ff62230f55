import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { mailIsOn } from "@/server/mail/send-mail";
import { Logo } from "../ui/logo";
import { ForgotPasswordForm } from "./forgot-password-form";

export const metadata: Metadata = { title: "Reset your password" };
// Whether the service sends mail is known when it runs, not when it is built.
export const dynamic = "force-dynamic";

export default function ForgotPasswordPage() {
  if (!mailIsOn()) redirect("/sign-in");
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 pb-16">
      <div className="w-full max-w-[360px]">
        <div className="mb-6 flex flex-col items-center gap-3 text-center">
          <Logo size={36} />
          <h1 className="font-semibold text-title">Reset your password</h1>
          <p className="text-muted">We’ll email you a link to set a new password.</p>
        </div>
        <ForgotPasswordForm />
        <p className="mt-4 text-center text-label">
          <a
            href="/sign-in"
            className="rounded-badge text-muted underline underline-offset-4 hover:text-text"
          >
            Back to sign in
          </a>
        </p>
      </div>
    </main>
  );
}
