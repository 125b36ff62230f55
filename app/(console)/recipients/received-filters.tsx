"use client";
import { POINT_TYPES } from "@/server/kernel/values/point-types";
import { Button } from "../../ui/button";
import { ContractChip } from "../batches/filters/contract-filter";
import {
  Divider,
  Group,
  ICON_COLORS,
  KIND_TITLES,
  STATES,
  Switch,
  toggled,
} from "../batches/filters/status-strip";
import { TimeChip } from "../batches/filters/time-filter";
import { isKindOfOpen, KINDS_OF_OPEN } from "../batches/list-params";
import { STATUS_LOOKS, TYPE_LABELS } from "../batches/status";
import type { useRecipientParams } from "./use-recipient-params";

type ReceivedFiltersProps = Pick<
  ReturnType<typeof useRecipientParams>,
  "params" | "setParams" | "clearFilters" | "filtered"
>;

export function ReceivedFilters({ params, setParams, clearFilters, filtered }: ReceivedFiltersProps) {
  const chosen = params.status ?? [];
  return (
    <search aria-label="Filters" className="flex gap-1.5 overflow-x-auto py-0.5 md:flex-wrap">
      <Group name="Status">
        {[...STATES, ...KINDS_OF_OPEN].map((status) => (
          <Switch
            key={status}
            on={chosen.includes(status)}
            onClick={() => void setParams({ status: toggled(chosen, status) })}
            icon={STATUS_LOOKS[status].icon}
            iconColor={ICON_COLORS[status]}
            label={STATUS_LOOKS[status].label}
            title={isKindOfOpen(status) ? KIND_TITLES[status] : undefined}
            count={null}
          />
        ))}
      </Group>
      <Divider />
      <Group name="Type">
        {POINT_TYPES.map((type) => (
          <Switch
            key={type}
            on={params.type === type}
            onClick={() => void setParams({ type: params.type === type ? null : type })}
            label={TYPE_LABELS[type]}
            count={null}
          />
        ))}
      </Group>
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
