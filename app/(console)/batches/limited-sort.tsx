"use client";
import { Info } from "lucide-react";
import { limitedSort } from "./limited-words";
import type { FilterParams } from "./list-params";

/** Says that only the latest batches are sorted, and which those are. */
export function LimitedSort({ params }: { params: FilterParams }) {
  return (
    <p role="status" className="flex items-center gap-1.5 px-4 text-label text-muted md:px-6">
      <Info aria-hidden size={13} className="shrink-0" />
      <span>{limitedSort(params)}</span>
    </p>
  );
}
