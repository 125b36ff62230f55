"use client";
import dynamic from "next/dynamic";
import { FilterChip } from "./filter-chip";

const TextForm = dynamic(() => import("./text-form").then((module) => module.TextForm), { ssr: false });

export interface TextFilterProps {
  name: string;
  label: string;
  value: string | null;
  /** The value as the chip shows it, when that differs. */
  shown?: string;
  pattern: RegExp;
  /** Shown when the value does not match the pattern. */
  rule: string;
  placeholder: string;
  onChange: (value: string | null) => void;
}

export function TextFilter(props: TextFilterProps) {
  const { name, value, shown, onChange } = props;
  return (
    <FilterChip name={name} value={shown ?? value ?? undefined} onClear={() => onChange(null)}>
      {(close) => <TextForm {...props} close={close} />}
    </FilterChip>
  );
}
