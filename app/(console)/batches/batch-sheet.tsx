"use client";
import { ChevronDown, ChevronUp, Maximize2 } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { buttonLook } from "@/app/ui/button-look";
import { classNames } from "@/app/ui/class-names";
import { isSingleKey, useWindowEvent } from "@/app/ui/hooks";
import { SidePanel } from "@/app/ui/side-panel";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { BatchView } from "./batch/batch-view";
import { batchKey, batchPath, indexOfBatch, parseBatchKey } from "./paths";
import { focusRow, useListParams } from "./use-batch-list";

const STEPS = [
  { by: -1, key: "k", label: "Previous batch", icon: ChevronUp },
  { by: 1, key: "j", label: "Next batch", icon: ChevronDown },
] as const;

export default function BatchSheet({ batches }: { batches: readonly ConsoleBatch[] }) {
  const { params, setParams } = useListParams();
  /** The batch that was reached from its neighbor and not from its row. */
  const [stepped, setStepped] = useState<string>();
  const open = parseBatchKey(params.open);
  const at = indexOfBatch(batches, params.open);
  const next = (by: 1 | -1) => (at < 0 ? undefined : batches[at + by]);
  const step = (by: 1 | -1) => {
    const batch = next(by);
    if (!batch) return;
    setStepped(batchKey(batch));
    // Back leads to the list and not through every batch.
    void setParams({ open: batchKey(batch) }, { history: "replace" });
  };
  useWindowEvent("keydown", (event) => {
    const by = STEPS.find(({ key }) => key === event.key)?.by;
    if (!open || !by || !isSingleKey(event)) return;
    event.preventDefault();
    step(by);
  });
  if (!open) return null;
  const path = batchPath(open);
  return (
    <SidePanel
      onClose={() => void setParams({ open: null })}
      title="Batch"
      finalFocus={(before) => void (before && stepped !== params.open ? before.focus() : focusRow(path))}
      actions={
        <>
          {STEPS.map(({ by, key, label, icon: Icon }) => (
            <button
              key={key}
              type="button"
              aria-label={label}
              title={label}
              aria-keyshortcuts={key}
              // Not disabled, which would take the focus away.
              aria-disabled={next(by) === undefined}
              onClick={() => step(by)}
              className={classNames(
                buttonLook({ variant: "ghost", size: "icon" }),
                "aria-disabled:opacity-40",
              )}
            >
              <Icon size={16} />
            </button>
          ))}
          <Link
            href={path}
            aria-label="Open full page"
            title="Open full page"
            className={buttonLook({ variant: "ghost", size: "icon" })}
          >
            <Maximize2 size={14} />
          </Link>
        </>
      }
    >
      <BatchView key={path} {...open} headingLevel="h2" />
    </SidePanel>
  );
}
