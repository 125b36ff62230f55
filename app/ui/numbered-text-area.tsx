"use client";
import { type ComponentProps, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { classNames } from "@/app/ui/class-names";
import { TextArea } from "@/app/ui/fields";

interface NumberedTextAreaProps extends ComponentProps<"textarea"> {
  value: string;
  /** Line numbers with errors, counted from 1. */
  errorLines: ReadonlySet<number>;
}

interface View {
  scrollTop: number;
  height: number;
  lineHeight: number;
  paddingTop: number;
}

const UNSEEN: View = { scrollTop: 0, height: 0, lineHeight: 1, paddingTop: 0 };

/** Line numbers are hidden from screen readers. */
export function NumberedTextArea({ errorLines, className, ...props }: NumberedTextAreaProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [view, setView] = useState(UNSEEN);
  const look = useCallback(() => {
    if (box.current) setView(viewOf(box.current));
  }, []);
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(look);
    watcher.observe(box.current!);
    return () => watcher.disconnect();
  }, [look]);
  const lineCount = useMemo(() => props.value.split("\n").length, [props.value]);
  const digits = Math.max(2, String(lineCount).length);
  return (
    <div className="relative font-mono text-mono">
      <TextArea
        {...props}
        ref={box}
        wrap="off"
        onScroll={look}
        className={classNames("block font-mono text-mono!", className)}
        style={{ paddingLeft: `calc(${digits}ch + 1.875rem)` }}
      />
      <div
        aria-hidden
        className="pointer-events-none absolute top-px left-px select-none overflow-hidden rounded-l-control border-line border-r bg-ground"
        style={{ width: `calc(${digits}ch + 1.25rem)`, height: view.height }}
      >
        <Numbers view={view} lineCount={lineCount} errorLines={errorLines} />
      </div>
    </div>
  );
}

function viewOf(box: HTMLTextAreaElement): View {
  const { lineHeight, paddingTop } = getComputedStyle(box);
  return {
    scrollTop: box.scrollTop,
    height: box.clientHeight,
    lineHeight: Number.parseFloat(lineHeight),
    paddingTop: Number.parseFloat(paddingTop),
  };
}

/** Renders visible numbers only: a text may have a hundred thousand lines. */
function Numbers({
  view,
  lineCount,
  errorLines,
}: {
  view: View;
  lineCount: number;
  errorLines: ReadonlySet<number>;
}) {
  const above = view.scrollTop - view.paddingTop;
  const first = Math.max(0, Math.floor(above / view.lineHeight));
  const end = Math.min(lineCount, Math.ceil((above + view.height) / view.lineHeight));
  return (
    <div style={{ transform: `translateY(${first * view.lineHeight - above}px)` }}>
      {Array.from({ length: Math.max(0, end - first) }, (_, row) => {
        const number = first + row + 1;
        const hasError = errorLines.has(number);
        return (
          <div
            key={number}
            data-line={number}
            data-error={hasError || undefined}
            style={{ height: view.lineHeight }}
            className={classNames(
              "border-l-3 pr-2.5 text-right tabular-nums",
              hasError
                ? "border-danger bg-danger-ground font-semibold text-danger"
                : "border-transparent text-muted",
            )}
          >
            {number}
          </div>
        );
      })}
    </div>
  );
}
