import { LoaderCircle } from "lucide-react";

/** @param label for screen readers, where no text next to it says what is loading */
export function Spinner({ label }: { label?: string }) {
  const name = label ? { "aria-label": label } : { "aria-hidden": true };
  return <LoaderCircle {...name} size={14} className={label ? "animate-spin text-muted" : "animate-spin"} />;
}
