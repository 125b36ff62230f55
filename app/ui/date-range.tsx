"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { DayPicker, type DateRange as Range } from "react-day-picker";
import { Button } from "./button";

const DAY = "size-8 rounded-control text-table tabular-nums hover:bg-hover -outline-offset-2";
const ARROW =
  "flex size-7 items-center justify-center rounded-control text-muted hover:bg-hover aria-disabled:opacity-40";

interface DateRangeProps {
  /** Both days are local dates, and included. */
  onChoose: (first: Date, last: Date) => void;
}

export function DateRange({ onChoose }: DateRangeProps) {
  const [range, setRange] = useState<Range>();
  return (
    <div className="flex flex-col gap-3">
      <DayPicker
        mode="range"
        selected={range}
        onSelect={setRange}
        weekStartsOn={1}
        showOutsideDays
        components={{ Chevron: Arrow }}
        classNames={{
          root: "relative",
          month_caption: "flex h-7 items-center px-1 font-medium text-table",
          nav: "absolute top-0 right-0 flex gap-1",
          button_previous: ARROW,
          button_next: ARROW,
          month_grid: "mt-2 border-collapse",
          weekday: "size-8 font-normal text-label text-muted",
          day: "p-0 text-center",
          day_button: DAY,
          outside: "text-muted",
          today: "font-semibold text-accent",
          selected: "bg-selected",
          range_start: "rounded-l-control",
          range_end: "rounded-r-control",
        }}
      />
      <Button
        variant="primary"
        disabled={!range?.from}
        onClick={() => range?.from && onChoose(range.from, range.to ?? range.from)}
        className="self-end"
      >
        Apply
      </Button>
    </div>
  );
}

function Arrow({ orientation }: { orientation?: "left" | "right" | "up" | "down" }) {
  const Icon = orientation === "left" ? ChevronLeft : ChevronRight;
  return <Icon aria-hidden size={14} />;
}
