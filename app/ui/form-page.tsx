import type { ReactNode } from "react";
import { Logo } from "./logo";

export const FORM_CARD = "card flex flex-col gap-4 p-5";
export const QUIET_LINK = "rounded-badge text-muted underline underline-offset-4 hover:text-text";

interface FormPageProps {
  title: string;
  lead: string;
  width?: string;
  children: ReactNode;
}

/** A page with one form, for people who are not signed in. */
export function FormPage({ title, lead, width = "max-w-[360px]", children }: FormPageProps) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 pb-16">
      <div className={`w-full ${width}`}>
        <div className="mb-6 flex flex-col items-center gap-3 text-center">
          <Logo size={36} />
          <h1 className="font-semibold text-title">{title}</h1>
          <p className="text-muted">{lead}</p>
        </div>
        {children}
      </div>
    </main>
  );
}
