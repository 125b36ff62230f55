"use client";
import { Maximize2 } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "../../ui/button";
import { SidePanel } from "../../ui/side-panel";
import { BatchView } from "./batch/batch-view";
import { batchPath, parseBatchKey } from "./list-params";
import { focusRow } from "./use-kept-place";
import { useListParams } from "./use-list-params";

/** The open batch, which is in the URL, in a panel next to the list. */
export function BatchSheet() {
  const { params, setParams } = useListParams();
  const open = parseBatchKey(params.open);
  if (!open) return null;
  return (
    <SidePanel
      onClose={() => void setParams({ open: null })}
      title="Batch"
      finalFocus={() => void focusRow(batchPath({ contractAddress: open.contractAddress, id: open.batchId }))}
      actions={
        <Link
          href={batchPath({ contractAddress: open.contractAddress, id: open.batchId })}
          aria-label="Open full page"
          title="Open full page"
          className={buttonLook({ variant: "ghost", size: "icon" })}
        >
          <Maximize2 aria-hidden size={14} />
        </Link>
      }
    >
      <BatchView key={`${open.contractAddress}/${open.batchId}`} {...open} headingLevel="h2" />
    </SidePanel>
  );
}
