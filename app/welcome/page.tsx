import type { Metadata } from "next";
import { Logo } from "../ui/logo";
import { WelcomeForm } from "./welcome-form";

export const metadata: Metadata = { title: "Set your password", referrer: "no-referrer" };

/** Opened from a link by an admin. The secret is in the URL's hash, so that no server logs it. */
export default function WelcomePage() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 pb-16">
      <div className="w-full max-w-[400px]">
        <div className="mb-6 flex flex-col items-center gap-3 text-center">
          <Logo size={36} />
          <h1 className="font-semibold text-title">Set your password</h1>
          <p className="text-muted">Staff console for point transfer batches</p>
        </div>
        <WelcomeForm />
      </div>
    </main>
  );
}
