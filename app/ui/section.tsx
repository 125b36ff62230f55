import { type ReactNode, useId } from "react";

interface SectionProps {
  /** Makes the section a link target, and its heading focusable. */
  id?: string;
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ id, title, note, actions, children }: SectionProps) {
  const titleId = useId();
  return (
    <section id={id} aria-labelledby={titleId} className="scroll-mt-4 flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id={titleId} tabIndex={id ? -1 : undefined} className="rounded-badge font-semibold text-body">
          {title}
        </h2>
        {note && <span className="text-label text-muted">{note}</span>}
        {actions && <div className="ml-auto flex flex-wrap items-center justify-end gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
