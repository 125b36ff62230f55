import { Download, type LucideIcon } from "lucide-react";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { ButtonIcon } from "@/app/ui/button";
import { type ButtonLook, buttonLook, classNames } from "@/app/ui/class-names";

interface ButtonLinkProps extends ButtonLook {
  href: string;
  icon?: LucideIcon;
  className?: string;
  children: ReactNode;
}

export function ButtonLink({ href, icon, variant, size, className, children }: ButtonLinkProps) {
  return (
    <Link href={href} prefetch={false} className={classNames(buttonLook({ variant, size }), className)}>
      {icon && <ButtonIcon icon={icon} variant={variant} />}
      {children}
    </Link>
  );
}

/** A file, by a link that looks like a button. */
export function DownloadLink({
  size,
  className,
  children,
  ...props
}: ComponentProps<"a"> & Pick<ButtonLook, "size">) {
  return (
    <a download {...props} className={classNames(buttonLook({ size }), className)}>
      <ButtonIcon icon={Download} />
      {children}
    </a>
  );
}

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
          prefetch={false}
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
