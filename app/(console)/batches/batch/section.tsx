import { type CSSProperties, type ReactNode, useId } from "react";
import { classNames } from "../../../ui/class-names";

interface AmountHeadingProps {
  name: string;
  /** As for `Amount`. */
  fraction: number;
  /** The amounts are followed by their unit, 36 pixels wide. */
  unit?: boolean;
}

/** The heading of a column of amounts: it ends over their decimal points. */
export const AmountHeading = ({ name, fraction, unit }: AmountHeadingProps) => (
  <span
    className={classNames("md:pr-(--decimals)", unit && "mr-10")}
    style={{ "--decimals": decimalsWidth(fraction) } as CSSProperties}
  >
    {name}
  </span>
);

/** As wide as `Amount` draws them in a table, whose text is larger than its headings. */
const decimalsWidth = (fraction: number) => (fraction > 0 ? `${(fraction * 0.64 + 0.3) * (13 / 12)}em` : "0");

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
        {actions && <div className="ml-auto flex items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
