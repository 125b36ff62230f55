"use client";
import { useState } from "react";
import { batchKey, parseBatchKey } from "@/app/(console)/batch-key";
import type { BulkPreviewInput } from "@/server/batches/bulk/schema";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { type ListParams, toFilters } from "./list-params";

export type Selection = ReturnType<typeof useSelection>;

interface State {
  /** The filters it belongs to: other filters start without a selection. */
  scope: string;
  keys: ReadonlySet<string>;
  all: boolean;
  anchor: number | null;
}

export function useSelection(params: ListParams, batches: readonly ConsoleBatch[]) {
  const filters = toFilters(params);
  const none: State = { scope: JSON.stringify(filters), keys: new Set(), all: false, anchor: null };
  const [stored, setState] = useState(none);
  const state = stored.scope === none.scope ? stored : none;
  const { keys, all, anchor } = state;

  const keysOf = (from: number, to: number) =>
    batches.slice(Math.min(from, to), Math.max(from, to) + 1).map(batchKey);
  const selectedOf = (rows: readonly ConsoleBatch[]) =>
    all ? rows.length : rows.filter((batch) => keys.has(batchKey(batch))).length;
  const count = selectedOf(batches);

  return {
    /** Selected rows; ignored while `all`. */
    count: keys.size,
    /** Every batch that matches the filters, loaded or not. */
    all,
    has: (batch: ConsoleBatch) => all || keys.has(batchKey(batch)),
    loaded: count === 0 ? false : count === batches.length || ("some" as const),
    /** @param range from the row toggled last to this one */
    toggle: (index: number, range: boolean) => {
      const batch = batches[index];
      if (!batch) return;
      const key = batchKey(batch);
      const before = new Set(all ? batches.map(batchKey) : keys);
      const isOn = before.has(key);
      if (range && anchor !== null) for (const each of keysOf(anchor, index)) before.add(each);
      else if (isOn) before.delete(key);
      else before.add(key);
      setState({ ...state, keys: before, all: false, anchor: index });
    },
    toggleLoaded: () =>
      setState(count === batches.length ? none : { ...none, keys: new Set(batches.map(batchKey)) }),
    selectAll: () => setState({ ...none, all: true }),
    clear: () => setState(none),
    chosen: (all
      ? { filters }
      : { keys: [...keys].flatMap((key) => parseBatchKey(key) ?? []) }) satisfies BulkPreviewInput["chosen"],
  };
}
