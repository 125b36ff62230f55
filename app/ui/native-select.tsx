import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "./class-names";

/** Native, for keyboard access, type-ahead and the phone's own picker. */
export function NativeSelect({ className, ...props }: ComponentProps<"select">) {
  return (
    <span className={classNames("relative block", className)}>
      <select
        {...props}
        className="h-9 w-full appearance-none truncate rounded-control border border-input-line bg-surface pr-8 pl-2.5 text-body text-text outline-offset-0 disabled:opacity-60 aria-invalid:border-danger"
      />
      <ChevronDown
        aria-hidden
        size={14}
        className="pointer-events-none absolute top-[11px] right-2.5 text-muted"
      />
    </span>
  );
}
