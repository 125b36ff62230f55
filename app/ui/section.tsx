import { clsx } from "clsx";
import { type ReactNode, useId } from "react";
import { Instant } from "@/app/ui/time";

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
        {note && <span className="hint">{note}</span>}
        {actions && <div className="ml-auto flex flex-wrap items-center justify-end gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** The class name sets the number of columns. Rows are separated by lines, with none after the last. */
export function FactList({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <dl className={clsx("card grid grid-cols-1 gap-x-8 overflow-hidden px-4", className)}>{children}</dl>
  );
}

interface FactProps {
  name: string;
  title?: string;
  className?: string;
  /** A time, instead of children. */
  at?: string;
  children?: ReactNode;
}

export function Fact({ name, title, className, at, children }: FactProps) {
  return (
    <div
      className={clsx(
        "-mt-px flex min-h-10 items-center justify-between gap-6 border-line border-t py-1.5 text-table",
        className,
      )}
    >
      <dt title={title} className="shrink-0 text-muted">
        {name}
      </dt>
      <dd className="wraps text-right tabular-nums">{at ? <Instant at={at} /> : children}</dd>
    </div>
  );
}

/** A ref of a page whose controls come and go. It gets the focus once the control that had it is gone. */
export function keepsFocus(page: HTMLElement | null) {
  if (!page) return;
  let focused: Node | null = null;
  const watch = new MutationObserver(() => {
    if (focused?.isConnected === false && document.activeElement === document.body) page.focus();
  });
  page.addEventListener("focusin", ({ target }) => {
    focused = target as Node;
  });
  watch.observe(page, { childList: true, subtree: true });
  return () => watch.disconnect();
}
