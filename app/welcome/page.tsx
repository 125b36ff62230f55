import type { Metadata } from "next";
import { FormPage } from "@/app/ui/form-page";
import { WelcomeForm } from "./welcome-form";

export const metadata: Metadata = { title: "Set your password", referrer: "no-referrer" };

/** Opened from a link by an admin. The secret is in the URL's hash, so that no server logs it. */
export default function WelcomePage() {
  return (
    <FormPage title="Set your password" lead="Staff console for point transfer batches" width="max-w-[400px]">
      <WelcomeForm />
    </FormPage>
  );
}
