import { clsx } from "clsx";
import { Link } from "@/app/ui/button";

interface SwitchLinksProps<Value extends string | number> {
  name: string;
  chosen: Value;
  options: readonly (readonly [value: Value, label: string])[];
  hrefOf: (value: Value) => string;
}

/** Links rather than buttons, so that a shared URL shows the same view. */
export function SwitchLinks<Value extends string | number>(props: SwitchLinksProps<Value>) {
  const { name, chosen, options, hrefOf } = props;
  return (
    <nav aria-label={name} className="ml-auto flex rounded-control border border-line bg-surface p-0.5">
      {options.map(([value, label]) => (
        <Link
          key={value}
          href={hrefOf(value)}
          scroll={false}
          aria-current={value === chosen ? "true" : undefined}
          className={clsx(
            "flex h-6 items-center rounded-badge px-2 font-medium text-label",
            value === chosen ? "bg-selected text-text" : "text-muted hover:text-text",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
