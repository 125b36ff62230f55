import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { staffSession } from "@/server/auth/staff-session";
import { settings } from "@/server/kernel/settings";
import { mailIsOn } from "@/server/mail/send-mail";
import { Logo } from "../ui/logo";
import { failureMessage } from "./failure-words";
import { safePath } from "./safe-path";
import { SignInForm } from "./sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<{ callbackUrl?: string | string[]; error?: string | string[] }>;
}) {
  const { callbackUrl, error } = await searchParams;
  const path = safePath(typeof callbackUrl === "string" ? callbackUrl : undefined);
  if (await staffSession()) redirect(path);
  const { OIDC_ISSUER, OIDC_NAME } = settings();
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 pb-16">
      <div className="w-full max-w-[360px]">
        <div className="mb-6 flex flex-col items-center gap-3 text-center">
          <Logo size={36} />
          <h1 className="font-semibold text-title">Sign in</h1>
          <p className="text-muted">Staff console for point transfer batches</p>
        </div>
        <SignInForm
          path={path}
          failure={typeof error === "string" ? failureMessage(error) : undefined}
          provider={OIDC_ISSUER && OIDC_NAME}
        />
        <p className="mt-4 text-center text-label text-muted">
          {mailIsOn() ? (
            <>
              <a
                href="/forgot-password"
                className="rounded-badge underline underline-offset-4 hover:text-text"
              >
                Forgot your password?
              </a>{" "}
              No account? Ask an admin to invite you.
            </>
          ) : (
            "No account, or forgot your password? Ask an admin for a link to set one."
          )}
        </p>
        <p className="mt-2 text-center text-label">
          <a href="/docs" className="rounded-badge text-muted underline underline-offset-4 hover:text-text">
            API reference
          </a>
        </p>
      </div>
    </main>
  );
}
