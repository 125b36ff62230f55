import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { PageProps } from "@/app/data/page-props";
import { FormPage, QUIET_LINK } from "@/app/ui/form-page";
import { staffSession } from "@/server/auth/staff-session";
import { settings } from "@/server/kernel/settings";
import { mailIsOn } from "@/server/mail/send-mail";
import { safePath } from "./safe-path";
import { failureMessage } from "./sign-in-errors";
import { SignInForm } from "./sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: PageProps) {
  const { callbackUrl, error } = await searchParams;
  const path = safePath(typeof callbackUrl === "string" ? callbackUrl : undefined);
  if (await staffSession()) redirect(path);
  const { OIDC_ISSUER, OIDC_NAME } = settings();
  return (
    <FormPage title="Sign in" lead="Staff console for point transfer batches">
      <SignInForm
        path={path}
        failure={typeof error === "string" ? failureMessage(error) : undefined}
        provider={OIDC_ISSUER && OIDC_NAME}
      />
      <p className="mt-4 text-center hint">
        {mailIsOn() ? (
          <>
            <a href="/forgot-password" className={QUIET_LINK}>
              Forgot your password?
            </a>{" "}
            No account? Ask an admin to invite you.
          </>
        ) : (
          "No account, or forgot your password? Ask an admin for a link to set one."
        )}
      </p>
      <p className="mt-2 text-center text-label">
        <a href="/docs" className={QUIET_LINK}>
          API reference
        </a>
      </p>
    </FormPage>
  );
}
