import { X } from "lucide-react";
import { useState } from "react";
import { formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { later } from "@/app/ui/later";
import type { BulkAction, BulkPreviewInput } from "@/server/batches/bulk/schema";
import { BULK_CHOSEN_MAX } from "@/terms/filters";
import type { Selection } from "./use-selection";

/** Below the list, so that rows keep their place. */
export function SelectionBar({ selection, hasMore }: { selection: Selection; hasMore: boolean }) {
  const { count, all, selectAll, clear, chosen } = selection;
  const tooMany = !all && count > BULK_CHOSEN_MAX;
  return (
    <section
      aria-label="Selection"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t bg-raised px-4 py-2 md:px-6"
    >
      <span role="status" className="font-medium text-table tabular-nums">
        {all ? "All that match are selected" : `${formatCount(count)} selected`}
      </span>
      {!all && hasMore && (
        <Button size="small" variant="ghost" onClick={selectAll} className="text-accent!">
          Select all that match
        </Button>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {tooMany && (
          <span className="text-danger text-label">
            Select at most {formatCount(BULK_CHOSEN_MAX)} rows, or all that match.
          </span>
        )}
        <BulkButtons chosen={chosen} disabled={tooMany} onDone={clear} />
        <Button size="small" variant="ghost" icon={X} onClick={clear}>
          Clear selection
        </Button>
      </span>
    </section>
  );
}

const BulkDialog = later(() => import("./bulk-dialog"));

const LABELS: Record<BulkAction, string> = {
  hold: "Put on hold…",
  release: "Release…",
  cancel: "Cancel batches…",
  reverse: "Take back…",
  approve: "Approve…",
};

interface BulkButtonsProps {
  chosen: BulkPreviewInput["chosen"];
  whose?: string;
  disabled?: boolean;
  actions?: readonly BulkAction[];
  onDone?: () => void;
}

const ACTIONS = ["hold", "release", "cancel"] as const satisfies readonly BulkAction[];

export function BulkButtons({ chosen, whose, disabled, actions = ACTIONS, onDone }: BulkButtonsProps) {
  const [asking, setAsking] = useState<BulkAction>();
  return (
    <>
      {actions.map((action) => (
        <Button key={action} size="small" disabled={disabled} onClick={() => setAsking(action)}>
          {LABELS[action]}
        </Button>
      ))}
      {asking && (
        <BulkDialog
          key={asking}
          action={asking}
          chosen={chosen}
          whose={whose}
          close={(isStarted) => {
            setAsking(undefined);
            if (isStarted) onDone?.();
          }}
        />
      )}
    </>
  );
}
