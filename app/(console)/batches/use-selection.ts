import { useState } from "react";
import { batchKey, parseBatchKey } from "@/app/(console)/batch-key";
import type { BulkPreviewInput } from "@/server/batches/bulk/schema";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { type ListParams, toFilters } from "./list-params";
import type { Line } from "./table/lines";

export type Selection = ReturnType<typeof useSelection>;

interface State {
  /** The filters it belongs to: other filters start without a selection. */
  scope: string;
  keys: ReadonlySet<string>;
  all: boolean;
  anchor: number | null;
}

/** @param lines as drawn: the one of a payout selects its batches */
export function useSelection(params: ListParams, batches: readonly ConsoleBatch[], lines: readonly Line[]) {
  const filters = toFilters(params);
  const none: State = { scope: JSON.stringify(filters), keys: new Set(), all: false, anchor: null };
  const [stored, setState] = useState(none);
  const state = stored.scope === none.scope ? stored : none;
  const { keys, all, anchor } = state;

  const keysOf = (from: number, to: number) =>
    lines.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap((line) => line.batches.map(batchKey));
  const shareOf = (rows: readonly ConsoleBatch[]) => {
    const count = all ? rows.length : rows.filter((batch) => keys.has(batchKey(batch))).length;
    return count === 0 ? false : count === rows.length || ("some" as const);
  };
  const loaded = shareOf(batches);

  return {
    /** Selected rows; ignored while `all`. */
    count: keys.size,
    /** Every batch that matches the filters, loaded or not. */
    all,
    has: (line: Line) => shareOf(line.batches),
    loaded,
    /** @param range from the row toggled last to this one */
    toggle: (index: number, range: boolean) => {
      const own = keysOf(index, index);
      const next = new Set(all ? batches.map(batchKey) : keys);
      const isOn = own.every((key) => next.has(key));
      if (range && anchor !== null) for (const each of keysOf(anchor, index)) next.add(each);
      else if (isOn) for (const each of own) next.delete(each);
      else for (const each of own) next.add(each);
      setState({ ...state, keys: next, all: false, anchor: index });
    },
    toggleLoaded: () => setState(loaded === true ? none : { ...none, keys: new Set(batches.map(batchKey)) }),
    selectAll: () => setState({ ...none, all: true }),
    clear: () => setState(none),
    chosen: (all
      ? { filters }
      : { keys: [...keys].flatMap((key) => parseBatchKey(key) ?? []) }) satisfies BulkPreviewInput["chosen"],
  };
}
