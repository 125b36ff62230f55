"use client";
import { formatDuration } from "@/app/ui/duration";
import { Field, Input } from "@/app/ui/field";
import { NativeSelect } from "@/app/ui/native-select";
import { useServerNow } from "@/app/ui/server-clock";
import { useTimeZone } from "@/app/ui/time-zone";
import { formatInstant } from "@/app/ui/zone-time";
import { readWait, WAIT_UNITS, type Wait, type WaitLimits, type WaitUnit } from "./wait";

interface WaitFieldProps {
  wait: Wait;
  limits: WaitLimits;
  asOf: string;
  onChange: (wait: Wait) => void;
}

/** How long a batch stays pending, and when it is due if it is submitted now. */
export function WaitField({ wait, limits, asOf, onChange }: WaitFieldProps) {
  const { zone } = useTimeZone();
  const nowMs = useServerNow(asOf);
  const read = readWait(wait, limits);
  const { minimumFinalizeSeconds: least, defaultFinalizeSeconds: most } = limits;
  return (
    <Field
      label="Finalize after"
      error={"error" in read ? read.error : undefined}
      hint={
        "seconds" in read && (
          <span className="tabular-nums">
            If submitted now, due {formatInstant(nowMs + read.seconds * 1000, zone)} ({zone}). Allowed:{" "}
            {formatDuration(least)} to {formatDuration(most)}.
          </span>
        )
      }
    >
      {(control) => (
        <span className="flex gap-1.5">
          <Input
            {...control}
            inputMode="decimal"
            value={wait.amount}
            onChange={(event) => onChange({ ...wait, amount: event.target.value })}
            className="tabular-nums"
          />
          <NativeSelect
            aria-label="Time unit"
            className="w-32 shrink-0"
            value={wait.unit}
            onChange={(event) => onChange({ ...wait, unit: event.target.value as WaitUnit })}
          >
            {Object.keys(WAIT_UNITS).map((unit) => (
              <option key={unit}>{unit}</option>
            ))}
          </NativeSelect>
        </span>
      )}
    </Field>
  );
}
