"use client";
import { Info } from "lucide-react";
import { formatAmount } from "../../ui/amount";
import type { FilterParams } from "./list-params";

/** Says that only the latest batches are sorted, and which those are. */
export function LimitedSort({ among, params }: { among: number; params: FilterParams }) {
  return (
    <p role="status" className="flex items-center gap-1.5 px-4 text-label text-muted md:px-6">
      <Info aria-hidden size={13} className="shrink-0" />
      <span>
        More than {formatAmount(String(among))} batches match. Only {whichOf(params)}{" "}
        {formatAmount(String(among))} are sorted and shown. Add filters to sort all of them. The export is
        complete.
      </span>
    </p>
  );
}

function whichOf({ recipient, finalizedFrom, finalizedTo, dueFrom, dueTo }: FilterParams): string {
  if (recipient) return "the newest";
  if (finalizedFrom || finalizedTo) return "the last finalized";
  return dueFrom || dueTo ? "the latest due" : "the newest";
}
