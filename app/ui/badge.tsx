import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";

const TONES = {
  pending: "bg-pending-ground text-pending",
  finalizing: "bg-finalizing-ground text-finalizing",
  finalized: "bg-finalized-ground text-finalized",
  overdue: "bg-overdue-ground text-overdue",
  held: "bg-held-ground text-held",
  cancelled: "bg-cancelled-ground text-cancelled",
  danger: "bg-danger-ground text-danger",
} as const;
export type Tone = keyof typeof TONES;

interface BadgeProps {
  tone: Tone;
  icon?: LucideIcon;
  spin?: boolean;
  label: React.ReactNode;
}

export function Badge({ tone, icon: Icon, spin, label }: BadgeProps) {
  return (
    <span
      className={clsx(
        "inline-flex h-5 align-middle items-center gap-1 whitespace-nowrap",
        "rounded-badge px-1.5 font-medium text-label",
        TONES[tone],
      )}
    >
      {Icon && <Icon size={12} strokeWidth={2.25} className={spin ? "animate-spin" : undefined} />}
      {label}
    </span>
  );
}
