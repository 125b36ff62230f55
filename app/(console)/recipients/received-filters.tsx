"use client";
import { Button } from "../../ui/button";
import { ContractChip, StatusChip, TimeChip, TypeChip } from "../batches/filters/filter-chip";
import type { useRecipientParams } from "./use-recipient-params";

type ReceivedFiltersProps = Pick<
  ReturnType<typeof useRecipientParams>,
  "params" | "setParams" | "clearFilters" | "filtered"
>;

export function ReceivedFilters({ params, setParams, clearFilters, filtered }: ReceivedFiltersProps) {
  return (
    <search aria-label="Filters" className="flex gap-1.5 overflow-x-auto py-0.5 md:flex-wrap">
      <StatusChip chosen={params.status} onChange={(status) => void setParams({ status })} />
      <TypeChip
        chosen={params.type && [params.type]}
        onChange={(types) => void setParams({ type: types?.[0] ?? null })}
      />
      <ContractChip contract={params.contract} onChange={(contract) => void setParams({ contract })} />
      <TimeChip
        name="Created"
        from={params.from}
        to={params.to}
        onChange={(range) => void setParams(range)}
      />
      {filtered && (
        <Button variant="ghost" size="small" onClick={clearFilters}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
