import { clsx } from "clsx";
import { Download, LoaderCircle, type LucideIcon } from "lucide-react";
import NextLink from "next/link";
import type { ComponentProps } from "react";
import { type ButtonLook, buttonLook } from "@/app/ui/button-look";

/** @param label for screen readers, where no text next to it says what is loading */
export function Spinner({ label }: { label?: string }) {
  const name = label ? { "aria-label": label } : { "aria-hidden": true };
  return <LoaderCircle {...name} size={14} className={label ? "animate-spin text-muted" : "animate-spin"} />;
}

interface ButtonProps extends ComponentProps<"button">, ButtonLook {
  icon?: LucideIcon;
  /** Ignores clicks, with a spinner in place of the icon. The button keeps the focus. */
  busy?: boolean;
}

export function Button({ icon, busy, variant, size, onClick, className, children, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={busy || undefined}
      {...props}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={clsx(buttonLook({ variant, size }), className)}
    >
      {busy ? <Spinner /> : icon && <ButtonIcon icon={icon} variant={variant} />}
      {children}
    </button>
  );
}

export function ButtonIcon({ icon: Icon, variant }: { icon: LucideIcon } & Pick<ButtonLook, "variant">) {
  const isPlain = variant === undefined || variant === "secondary";
  return <Icon size={14} className={isPlain ? "text-muted" : undefined} />;
}

interface ButtonLinkProps extends ComponentProps<typeof Link>, ButtonLook {
  icon?: LucideIcon;
}

export function ButtonLink({ icon, variant, size, className, children, ...props }: ButtonLinkProps) {
  return (
    <Link {...props} className={clsx(buttonLook({ variant, size }), className)}>
      {icon && <ButtonIcon icon={icon} variant={variant} />}
      {children}
    </Link>
  );
}

export function DownloadLink({
  size,
  className,
  children,
  ...props
}: ComponentProps<"a"> & Pick<ButtonLook, "size">) {
  return (
    <a download {...props} className={clsx(buttonLook({ size }), className)}>
      <ButtonIcon icon={Download} />
      {children}
    </a>
  );
}

/** Next would prefetch every link in view. */
export const Link = (props: ComponentProps<typeof NextLink>) => <NextLink prefetch={false} {...props} />;

export const TextLink = (props: ComponentProps<typeof Link>) => (
  <Link className="rounded-badge text-accent underline underline-offset-2" {...props} />
);
