import type { LucideIcon } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
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
