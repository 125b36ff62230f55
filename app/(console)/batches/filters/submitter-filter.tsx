"use client";
import dynamic from "next/dynamic";
import { useStaff } from "../../staff";
import { useListParams } from "../use-list-params";
import { FilterChip } from "./filter-chip";
import { submitterName } from "./submitter-name";

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
      {(close) => (
        <SubmitterChoices
          onChoose={(by) => {
            void setParams({ by });
            close();
          }}
        />
      )}
    </FilterChip>
  );
}
