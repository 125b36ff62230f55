import { type LucideIcon, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "./button-link";

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** `h1` when it is the only content of the page. */
  heading?: "h1" | "h2";
  children?: ReactNode;
}

export function EmptyState({ icon: Icon, title, heading: Heading = "h2", children }: EmptyStateProps) {
  return (
    <div className="mx-auto flex w-full max-w-[640px] flex-col items-center gap-3 px-4 py-14 text-center">
      <span className="flex size-10 items-center justify-center rounded-card border border-line bg-surface text-muted">
        <Icon aria-hidden size={18} />
      </span>
      <Heading className="font-semibold text-body">{title}</Heading>
      <div className="flex flex-col items-center gap-3 text-muted">{children}</div>
    </div>
  );
}

interface NotFoundProps {
  title: string;
  /** Where to go instead. */
  href: string;
  link: string;
  children: ReactNode;
}

/** The whole page. */
export const NotFound = ({ title, href, link, children }: NotFoundProps) => (
  <EmptyState icon={SearchX} heading="h1" title={title}>
    {children}
    <ButtonLink href={href}>{link}</ButtonLink>
  </EmptyState>
);

/** In place of an empty table in a section. */
export function EmptyNote({ children }: { children: ReactNode }) {
  return <p className="rounded-card border border-line bg-surface p-4 text-muted text-table">{children}</p>;
}
