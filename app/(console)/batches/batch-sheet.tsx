"use client";
import { Maximize2 } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { buttonLook } from "../../ui/button";
import { Sheet } from "../../ui/sheet";
import { BatchView } from "./batch/batch-view";
import { batchPath, parseBatchKey } from "./list-params";
import { useListParams } from "./use-list-params";

/** The open batch, which is in the URL, in a panel next to the list. */
export function BatchSheet() {
  const { params, setParams } = useListParams();
  const open = parseBatchKey(params.open);
  const [last, setLast] = useState(open);
  if (open && (open.batchId !== last?.batchId || open.contractAddress !== last.contractAddress))
    setLast(open);
  // Keeps showing the last batch during the closing animation.
  const shown = open ?? last;
  if (!shown) return null;
  return (
    <Sheet
      open={open !== null}
      onOpenChange={(stays) => {
        if (!stays) void setParams({ open: null });
      }}
      title="Batch"
      actions={
        <Link
          href={batchPath({ contractAddress: shown.contractAddress, id: shown.batchId })}
          aria-label="Open full page"
          title="Open full page"
          className={buttonLook({ variant: "ghost", size: "icon" })}
        >
          <Maximize2 aria-hidden size={14} />
        </Link>
      }
    >
      <BatchView key={`${shown.contractAddress}/${shown.batchId}`} {...shown} headingLevel="h2" />
    </Sheet>
  );
}
