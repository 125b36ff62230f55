"use client";
import { ChevronDown, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { classNames } from "../../../ui/class-names";
import { useLazyPanel } from "../../../ui/use-lazy-panel";

const loadPopover = () => import("../../../ui/popover").then((module) => module.Popover);

/** Makes the panel close once something is chosen. */
type Closing = <Value>(choose: (value: Value) => void) => (value: Value) => void;

interface FilterChipProps {
  name: string;
  /** Undefined when the filter is not set. */
  value?: ReactNode;
  onClear: () => void;
  children: (closing: Closing) => ReactNode;
}

export function FilterChip({ name, value, onClear, children }: FilterChipProps) {
  const [open, setOpen] = useState(true);
  const { Panel: Popover, buttonProps } = useLazyPanel(loadPopover);
  const closing: Closing = (choose) => (value) => {
    choose(value);
    setOpen(false);
  };
  const set = value !== undefined;
  const button = (
    <button
      type="button"
      {...buttonProps}
      className={classNames(
        "flex h-7 items-center gap-1.5 whitespace-nowrap rounded-control px-2 font-medium text-label outline-offset-0",
        set ? "rounded-r-none" : "text-muted hover:text-text",
      )}
    >
      <span className={set ? "text-muted" : undefined}>{name}</span>
      {set ? <span className="max-w-52 truncate">{value}</span> : <ChevronDown aria-hidden size={12} />}
    </button>
  );
  return (
    <span
      className={classNames(
        "inline-flex shrink-0 items-center rounded-control border",
        set ? "border-accent bg-selected" : "border-line bg-surface hover:bg-hover",
      )}
    >
      {Popover ? (
        <Popover title={name} open={open} onOpenChange={setOpen} trigger={button}>
          {children(closing)}
        </Popover>
      ) : (
        button
      )}
      {set && (
        <button
          type="button"
          aria-label={`Clear ${name}`}
          onClick={onClear}
          className="flex h-7 w-6 items-center justify-center rounded-r-control text-muted outline-offset-0 hover:text-text"
        >
          <X aria-hidden size={12} />
        </button>
      )}
    </span>
  );
}
