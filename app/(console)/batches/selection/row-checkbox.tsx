"use client";
import { classNames } from "../../../ui/class-names";

interface RowCheckboxProps {
  label: string;
  checked: boolean | "some";
  onToggle: (range: boolean) => void;
  className?: string;
}

/** The label is larger than the box, so that it is easy to hit. */
export function RowCheckbox({ label, checked, onToggle, className }: RowCheckboxProps) {
  return (
    <label className={classNames("inline-flex size-7 cursor-pointer items-center justify-center", className)}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked === true}
        ref={(box) => {
          if (box) box.indeterminate = checked === "some";
        }}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey)}
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  );
}
