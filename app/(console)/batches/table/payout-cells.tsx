"use client";
import { ChevronDown, ChevronRight } from "lucide-react";
import { formatCount } from "@/app/ui/amount";
import { Link } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import type { Line } from "./lines";

/** The payout's page, and how many of its batches the list has. */
export function PayoutLink({ line, className }: { line: Line; className?: string }) {
  const { name, stored } = line.batch.payout!;
  const loaded = line.batches.length;
  return (
    <>
      <Link
        href={line.path}
        title={name}
        data-batch-link
        className={classNames("rounded-badge font-medium outline-offset-1 hover:text-accent", className)}
      >
        {name}
      </Link>
      <span className="shrink-0 hint">
        {loaded < stored && `${formatCount(loaded)} of `}
        {formatCount(stored)}
        <span className="@max-[1180px]:sr-only">{stored === 1 ? " batch" : " batches"}</span>
      </span>
    </>
  );
}

interface FoldButtonProps {
  line: Line;
  fold: (line: Line) => void;
  className?: string;
}

export function FoldButton({ line, fold, className }: FoldButtonProps) {
  const Icon = line.isUnfolded ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={line.isUnfolded}
      aria-label={`Batches of ${line.batch.payout!.name}`}
      onClick={() => fold(line)}
      className={classNames(
        "inline-flex size-6 shrink-0 items-center justify-center rounded-badge text-muted hover:text-text",
        className,
      )}
    >
      <Icon size={14} />
    </button>
  );
}
