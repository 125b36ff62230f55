import { ChevronDown, ChevronUp, Maximize2 } from "lucide-react";
import { useState } from "react";
import { batchKey, indexOfBatch, parseBatchKey } from "@/app/(console)/batch-key";
import { batchPath } from "@/app/(console)/paths";
import { Button, ButtonLink } from "@/app/ui/button";
import { isSingleKey, useWindowEvent } from "@/app/ui/hooks";
import { SidePanel } from "@/app/ui/side-panel";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { BatchView } from "./batch/batch-view";
import { focusRow } from "./use-kept-place";
import { useListParams } from "./use-list-params";

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
            <Button
              key={key}
              variant="ghost"
              size="icon"
              aria-label={label}
              title={label}
              aria-keyshortcuts={key}
              // Not disabled, which would take the focus away.
              aria-disabled={next(by) === undefined}
              onClick={() => step(by)}
              className="aria-disabled:opacity-40"
            >
              <Icon size={16} />
            </Button>
          ))}
          <ButtonLink
            href={path}
            prefetch={null}
            variant="ghost"
            size="icon"
            aria-label="Open full page"
            title="Open full page"
          >
            <Maximize2 size={14} />
          </ButtonLink>
        </>
      }
    >
      <BatchView key={path} {...open} headingLevel="h2" />
    </SidePanel>
  );
}
