import { clsx } from "clsx";

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

/** Also for links. The page for addresses that lead nowhere loads it too, so it imports no icons. */
export function buttonLook({ variant = "secondary", size = "medium" }: ButtonLook = {}): string {
  return clsx(
    "inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-control border font-medium",
    "print:hidden select-none transition-colors duration-100",
    "disabled:cursor-not-allowed disabled:opacity-60",
    "aria-disabled:cursor-not-allowed aria-disabled:opacity-60 [&_svg]:shrink-0",
    VARIANTS[variant],
    SIZES[size],
  );
}
