"use client";
import dynamic from "next/dynamic";
import { useStaff } from "../../staff";
import { submitterName } from "../caller-names";
import { useListParams } from "../use-list-params";
import { FilterChip } from "./filter-chip";

const SubmitterChoices = dynamic(
  () => import("./submitter-choices").then((module) => module.SubmitterChoices),
  { ssr: false },
);

export function SubmitterFilter() {
  const { params, setParams } = useListParams();
  const { email } = useStaff();
  return (
    <FilterChip
      name="Submitted by"
      value={params.by ? submitterName(params.by, email) : undefined}
      onClear={() => void setParams({ by: null })}
    >
      {(closing) => <SubmitterChoices onChoose={closing((by) => void setParams({ by }))} />}
    </FilterChip>
  );
}
