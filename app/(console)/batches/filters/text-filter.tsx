"use client";
import dynamic from "next/dynamic";
import { FilterChip } from "./filter-chip";

const TextForm = dynamic(() => import("./text-form").then((module) => module.TextForm), { ssr: false });

export interface TextFilterProps {
  name: string;
  label: string;
  value: string | null;
  /** The value as the chip shows it. */
  shown?: string;
  pattern: RegExp;
  /** What a value must be, in words. */
  mustBe: string;
  placeholder: string;
  onChange: (value: string | null) => void;
}

/** A filter that is typed; it is applied when it is well formed. */
export function TextFilter(props: TextFilterProps) {
  const { name, value, shown, onChange } = props;
  return (
    <FilterChip name={name} value={shown ?? value ?? undefined} onClear={() => onChange(null)}>
      {(close) => <TextForm {...props} close={close} />}
    </FilterChip>
  );
}
