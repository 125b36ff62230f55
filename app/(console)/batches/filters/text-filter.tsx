"use client";
import dynamic from "next/dynamic";
import { FilterChip } from "./filter-chip";
import type { TextFilterProps } from "./text-form";

const TextForm = dynamic(() => import("./text-form").then((module) => module.TextForm), { ssr: false });

export function TextFilter(props: TextFilterProps) {
  const { name, value, shown, onChange } = props;
  return (
    <FilterChip name={name} value={shown ?? value ?? undefined} onClear={() => onChange(null)}>
      {(closing) => <TextForm {...props} onChange={closing(onChange)} />}
    </FilterChip>
  );
}
