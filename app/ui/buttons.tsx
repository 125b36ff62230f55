import { Download, type LucideIcon } from "lucide-react";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names";
import { Spinner } from "./states";

const VARIANTS = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover border-transparent",
  secondary: "bg-surface text-text border-line hover:bg-hover",
  ghost: "bg-transparent text-muted border-transparent hover:bg-hover hover:text-text",
  danger: "bg-danger text-on-danger border-transparent hover:bg-danger-hover",
} as const;

const SIZES = {
  small: "h-7 px-2 text-label gap-1.5",
  medium: "h-8 px-3 text-table gap-2",
  large: "h-10 px-4 text-body gap-2",
  icon: "size-8 justify-center",
} as const;

export interface ButtonLook {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
}

/** The classes of a button, also for links. Every page loads this file with its error pages, so it imports no icons. */
export function buttonLook({ variant = "secondary", size = "medium" }: ButtonLook = {}): string {
  return classNames(
    "inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-control border font-medium",
    "print:hidden select-none transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-60 [&_svg]:shrink-0",
    VARIANTS[variant],
    SIZES[size],
  );
}

interface ButtonProps extends ComponentProps<"button">, ButtonLook {
  icon?: LucideIcon;
  /** Disables the button, with a spinner in place of its icon. */
  busy?: boolean;
}

export function Button({ icon, busy, variant, size, disabled, className, children, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      disabled={disabled || busy}
      className={classNames(buttonLook({ variant, size }), className)}
    >
      {busy ? <Spinner /> : icon && <ButtonIcon icon={icon} variant={variant} />}
      {children}
    </button>
  );
}

/** Muted on a plain button. */
export function ButtonIcon({ icon: Icon, variant }: { icon: LucideIcon } & Pick<ButtonLook, "variant">) {
  const isPlain = variant === undefined || variant === "secondary";
  return <Icon aria-hidden size={14} className={isPlain ? "text-muted" : undefined} />;
}

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

interface KeyProps {
  sign: string;
  /** For screen readers. */
  name: string;
}

export function Key({ sign, name }: KeyProps) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-badge border border-line bg-surface px-1 font-mono text-[11px]/4 text-muted">
      <span aria-hidden>{sign}</span>
      <span className="sr-only">{name}</span>
    </kbd>
  );
}
