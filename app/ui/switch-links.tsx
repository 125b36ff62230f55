import { Link } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";

interface SwitchLinksProps {
  name: string;
  chosen: string;
  links: { value: string; label: string; href: string }[];
}

/** Links rather than buttons, so that a shared URL shows the same view. */
export function SwitchLinks({ name, chosen, links }: SwitchLinksProps) {
  return (
    <nav aria-label={name} className="ml-auto flex rounded-control border border-line bg-surface p-0.5">
      {links.map(({ value, label, href }) => (
        <Link
          key={value}
          href={href}
          scroll={false}
          aria-current={value === chosen ? "true" : undefined}
          className={classNames(
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
