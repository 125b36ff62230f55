"use client";
import {
  type FocusEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
} from "react";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { isSingleKey } from "../../../ui/shortcut";
import { batchKey, indexOfBatch } from "../paths";
import type { Selection } from "../selection/use-selection";

/** Rows are drawn some frames after the list has scrolled. */
const FRAMES_MAX = 60;

interface RowKeys {
  scroller: RefObject<HTMLElement | null>;
  batches: readonly ConsoleBatch[];
  rowPx: number;
  selection: Selection | null;
  /** What `e` downloads. */
  exportHref: string;
  /** The batch in the side panel, which has keys of its own. */
  open: string | null;
}

const indexOfRow = (target: EventTarget | null) =>
  Number((target as Element).closest?.("tr[data-index]")?.getAttribute("data-index") ?? -1);

/** Keys that move from row to row, select and open. The current row is the one whose link had the focus last. */
export function useRowKeys({ scroller, batches, rowPx, selection, exportHref, open }: RowKeys) {
  const current = useRef<string>(null);

  const linkOf = (index: number) =>
    scroller.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] [data-batch-link]`);

  /** Scrolls no further than needed. The header covers the height of a row. */
  const show = (index: number) => {
    const region = scroller.current;
    if (!region || index < 0) return;
    const most = index * rowPx;
    const least = most + 2 * rowPx - region.clientHeight;
    region.scrollTop = Math.max(least, Math.min(region.scrollTop, most));
  };

  const focus = (index: number) => {
    const batch = batches[index];
    if (!batch) return;
    current.current = batchKey(batch);
    show(index);
    const look = (framesLeft: number) => {
      const link = linkOf(index);
      if (link) link.focus({ preventScroll: true });
      else if (framesLeft > 0) requestAnimationFrame(() => look(framesLeft - 1));
    };
    look(FRAMES_MAX);
  };

  /** Before any row was current, the first one in view. */
  const step = (by: 1 | -1) => {
    const at = indexOfBatch(batches, current.current);
    const inView = Math.ceil((scroller.current?.scrollTop ?? 0) / rowPx);
    focus(at < 0 ? inView : Math.max(0, Math.min(batches.length - 1, at + by)));
  };

  const act = useEffectEvent((event: KeyboardEvent) => {
    if (!isSingleKey(event)) return;
    const key = event.key.toLowerCase();
    const index = indexOfRow(event.target);
    if (key === "x" && selection && index >= 0) selection.toggle(index, event.shiftKey);
    else if (event.shiftKey) return;
    else if (key === "o" && index >= 0) linkOf(index)?.click();
    else if (key === "j" && open === null) step(1);
    else if (key === "k" && open === null) step(-1);
    else if (key === "e") downloadFile(exportHref);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => act(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);

  const showOpen = useEffectEvent(() => show(indexOfBatch(batches, open)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each batch that opens is scrolled into view
  useEffect(showOpen, [open]);

  /** Of the row whose link has the focus. */
  const onKeyDown = (event: ReactKeyboardEvent) => {
    const target = event.target as HTMLElement;
    const index = indexOfRow(target);
    const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey;
    if (selection && isPlain && event.key === " " && target.matches("[data-batch-link]")) {
      event.preventDefault();
      selection.toggle(index, event.shiftKey);
    }
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!by || index < 0 || !batches[index + by]) return;
    event.preventDefault();
    if (event.shiftKey) selection?.extend(index, index + by);
    focus(index + by);
  };

  const onFocus = (event: FocusEvent) => {
    const batch = batches[indexOfRow(event.target)];
    if (batch) current.current = batchKey(batch);
  };
  return { onKeyDown, onFocus };
}

function downloadFile(href: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  link.click();
}
