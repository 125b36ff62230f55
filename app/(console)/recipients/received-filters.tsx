"use client";
import { Button } from "../../ui/button";
import { ContractChip } from "../batches/filters/contract-filter";
import { Divider, Group, STATES, StatusSwitch, TypeSwitches } from "../batches/filters/status-strip";
import { TimeChip } from "../batches/filters/time-filter";
import { MARKS } from "../batches/list-params";
import type { useRecipientParams } from "./use-recipient-params";

type ReceivedFiltersProps = Pick<
  ReturnType<typeof useRecipientParams>,
  "params" | "setParams" | "clearFilters" | "filtered"
>;

export function ReceivedFilters({ params, setParams, clearFilters, filtered }: ReceivedFiltersProps) {
  return (
    <search aria-label="Filters" className="flex gap-1.5 overflow-x-auto py-0.5 md:flex-wrap">
      <Group name="Status">
        {[...STATES, ...MARKS].map((status) => (
          <StatusSwitch
            key={status}
            status={status}
            chosen={params.status ?? []}
            onChange={(next) => void setParams({ status: next })}
          />
        ))}
      </Group>
      <Divider />
      <TypeSwitches chosen={params.type} onChange={(type) => void setParams({ type })} />
      <Divider />
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
