import { Download, type LucideIcon } from "lucide-react";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { ButtonIcon } from "./button";
import { type ButtonLook, buttonLook } from "./button-look";
import { classNames } from "./class-names";

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

/** In a sentence. */
export const TextLink = (props: ComponentProps<typeof Link>) => (
  <Link prefetch={false} className="rounded-badge text-accent underline underline-offset-2" {...props} />
);
