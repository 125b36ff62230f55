import type { Metadata } from "next";
import { Logo } from "../ui/logo";
import { WelcomeForm } from "./welcome-form";

export const metadata: Metadata = { title: "Choose a password", referrer: "no-referrer" };

/** The page of a link that an admin made. Its secret stands behind `#`, so that no server sees it until it is used. */
export default function WelcomePage() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 pb-16">
      <div className="w-full max-w-[400px]">
        <div className="mb-6 flex flex-col items-center gap-3 text-center">
          <Logo size={36} />
          <h1 className="font-semibold text-title">Choose a password</h1>
          <p className="text-muted">Point transfer batches, for staff.</p>
        </div>
        <WelcomeForm />
      </div>
    </main>
  );
}
