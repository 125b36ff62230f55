"use client";
import { useRef, useState } from "react";
import { Field, TextArea } from "@/app/ui/fields";

const REASON_CHARS_MIN = 3;
export const REASON_CHARS_MAX = 500;

/** The field of a required reason, and a function that reads it, or shows that it is too short. */
export function useReason(hint: string) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [error, setError] = useState<string>();
  const readReason = (): string | null => {
    const reason = box.current?.value.trim() ?? "";
    const isShort = reason.length < REASON_CHARS_MIN;
    setError(isShort ? `Enter a reason of at least ${REASON_CHARS_MIN} characters.` : undefined);
    if (!isShort) return reason;
    box.current?.focus();
    return null;
  };
  const reasonField = (
    <Field label="Reason" name="reason" hint={hint} error={error}>
      {(control) => (
        <TextArea {...control} ref={box} name="reason" rows={3} maxLength={REASON_CHARS_MAX} autoFocus />
      )}
    </Field>
  );
  return { reasonField, readReason };
}
