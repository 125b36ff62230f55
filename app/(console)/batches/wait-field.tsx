import { useStaff } from "@/app/(console)/staff";
import { Field, Input, NativeSelect } from "@/app/ui/fields";
import { formatInstant } from "@/app/ui/format-time";
import { useServerNow, useTimeZone } from "@/app/ui/time";
import type { WaitLimits } from "@/terms/batch-limits";
import { formatDuration } from "@/terms/output-text";

const WAIT_UNITS = { hours: 3600, minutes: 60, seconds: 1 } as const;
type WaitUnit = keyof typeof WAIT_UNITS;

export interface Wait {
  amount: string;
  unit: WaitUnit;
}

/** In the largest unit that needs no fraction. */
export function waitOf(seconds: number): Wait {
  const units = Object.entries(WAIT_UNITS) as [WaitUnit, number][];
  const [unit, size] = units.find(([, size]) => seconds % size === 0)!;
  return { amount: String(seconds / size), unit };
}

/** The contract's default wait, or the host's, within the limits that the host has now. */
export function defaultWaitSeconds(
  ownSeconds: number | null | undefined,
  { minimumFinalizeSeconds: least, defaultFinalizeSeconds: most }: WaitLimits,
): number {
  return Math.min(Math.max(ownSeconds ?? most, least), most);
}

const SHORT_SECONDS = 60;

/** A reversal is due soon, but it can still be cancelled. */
export const takeBackWait = (limits: WaitLimits): Wait => waitOf(defaultWaitSeconds(SHORT_SECONDS, limits));

export const ShortWaitNote = ({ seconds }: { seconds: number }) =>
  seconds < SHORT_SECONDS && (
    <span className="block text-danger">Less than a minute: there is hardly time to stop a mistake.</span>
  );

export function readWait(
  { amount, unit }: Wait,
  limits: WaitLimits,
): { seconds: number; error?: undefined } | { error: string; seconds?: undefined } {
  const { minimumFinalizeSeconds: least, defaultFinalizeSeconds: most } = limits;
  if (!/^\d+(?:\.\d+)?$/.test(amount.trim())) return { error: "Enter a number, such as 24." };
  const seconds = Number(amount) * WAIT_UNITS[unit];
  if (!Number.isInteger(seconds)) return { error: "Enter a whole number of seconds." };
  if (seconds < least) return { error: `Enter at least ${formatDuration(least)}.` };
  if (seconds > most) return { error: `Enter at most ${formatDuration(most)}.` };
  return { seconds };
}

interface WaitFieldProps {
  wait: Wait;
  /** Where the wait comes from. */
  note?: string | false | undefined;
  onChange: (wait: Wait) => void;
}

export function WaitField({ wait, note, onChange }: WaitFieldProps) {
  const { limits } = useStaff();
  const { zone } = useTimeZone();
  const nowMs = useServerNow();
  const { seconds, error } = readWait(wait, limits);
  const { minimumFinalizeSeconds: least, defaultFinalizeSeconds: most } = limits;
  return (
    <Field
      label="Finalize after"
      error={error}
      hint={
        seconds !== undefined && (
          <span className="tabular-nums">
            {note} A batch submitted now would be due {formatInstant(nowMs + seconds * 1000, zone)} ({zone}).
            Allowed: {formatDuration(least)} to {formatDuration(most)}.
            <ShortWaitNote seconds={seconds} />
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
            onChange={(event) => onChange({ unit: wait.unit, amount: event.target.value })}
            className="tabular-nums"
          />
          <NativeSelect
            aria-label="Time unit"
            className="w-32 shrink-0"
            value={wait.unit}
            onChange={(event) => onChange({ amount: wait.amount, unit: event.target.value as WaitUnit })}
          >
            {Object.keys(WAIT_UNITS).map((unit) => (
              <option key={unit} value={unit}>
                {Number(wait.amount) === 1 ? unit.slice(0, -1) : unit}
              </option>
            ))}
          </NativeSelect>
        </span>
      )}
    </Field>
  );
}
