"use client";
import { Button } from "./button";
import { TextField, textOf } from "./fields";

interface DateRangeProps {
  /** Both days are local dates, and included. */
  onChoose: (first: Date, last: Date) => void;
}

/** Two days, with the browser's own calendar. */
export const DateRange = ({ onChoose }: DateRangeProps) => (
  <form
    className="flex flex-col gap-3"
    onSubmit={(event) => {
      event.preventDefault();
      const form = new FormData(event.currentTarget);
      const days = [textOf(form, "first"), textOf(form, "last")].filter(Boolean).sort();
      onChoose(new Date(`${days[0]}T00:00`), new Date(`${days.at(-1)}T00:00`));
    }}
  >
    <TextField label="First day" name="first" type="date" required />
    <TextField label="Last day" hint="Empty for one day." name="last" type="date" />
    <Button type="submit" variant="primary" className="self-end">
      Apply
    </Button>
  </form>
);
