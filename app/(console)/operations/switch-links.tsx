import Link from "next/link";
import { classNames } from "../../ui/class-names";

interface SwitchLinksProps {
  name: string;
  chosen: string;
  links: { value: string; words: string; href: string }[];
}

/** One of a few views, as links: a copied address shows the same. */
export function SwitchLinks({ name, chosen, links }: SwitchLinksProps) {
  return (
    <nav aria-label={name} className="ml-auto flex rounded-control border border-line bg-surface p-0.5">
      {links.map(({ value, words, href }) => (
        <Link
          key={value}
          href={href}
          scroll={false}
          prefetch={false}
          aria-current={value === chosen ? "true" : undefined}
          className={classNames(
            "flex h-6 items-center rounded-badge px-2 font-medium text-label",
            value === chosen ? "bg-selected text-text" : "text-muted hover:text-text",
          )}
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}
