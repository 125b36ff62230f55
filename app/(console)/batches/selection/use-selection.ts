"use client";
import { useState } from "react";
import type { BulkPreviewInput } from "@/server/batches/bulk/schema";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { type ListParams, toFilters } from "../list-params";
import { batchKey, parseBatchKey } from "../paths";

export interface Selection {
  /** Selected rows; ignored while `all`. */
  count: number;
  /** Every batch that matches the filters, loaded or not. */
  all: boolean;
  has: (batch: ConsoleBatch) => boolean;
  /** Whether every loaded row is selected, or some. */
  loaded: "all" | "some" | "none";
  /** @param range from the row toggled last to this one */
  toggle: (index: number, range: boolean) => void;
  /** Selects a row and its neighbor. */
  extend: (from: number, to: number) => void;
  toggleLoaded: () => void;
  selectAll: () => void;
  clear: () => void;
  chosen: BulkPreviewInput["chosen"];
}

interface State {
  /** The filters it belongs to: other filters start without a selection. */
  scope: string;
  keys: ReadonlySet<string>;
  all: boolean;
  anchor: number | null;
}

export function useSelection(params: ListParams, batches: readonly ConsoleBatch[]): Selection {
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
    count: keys.size,
    all,
    has: (batch) => all || keys.has(batchKey(batch)),
    loaded: count === 0 ? "none" : count === batches.length ? "all" : "some",
    toggle: (index, range) => {
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
    extend: (from, to) => {
      if (all) return;
      setState({ ...state, keys: new Set([...keys, ...keysOf(from, to)]), anchor: to });
    },
    toggleLoaded: () =>
      setState(count === batches.length ? none : { ...none, keys: new Set(batches.map(batchKey)) }),
    selectAll: () => setState({ ...none, all: true }),
    clear: () => setState(none),
    chosen: all ? { filters } : { keys: [...keys].flatMap((key) => parseBatchKey(key) ?? []) },
  };
}
