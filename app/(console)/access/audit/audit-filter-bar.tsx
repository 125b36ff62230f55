"use client";
import { Download } from "lucide-react";
import dynamic from "next/dynamic";
import { Button, buttonLook } from "../../../ui/button";
import { useTimeZone } from "../../../ui/time-zone";
import { describeRange } from "../../batches/filters/describe-range";
import { FilterChip } from "../../batches/filters/filter-chip";
import { TextFilter } from "../../batches/filters/text-filter";
import { ACTION_TEXT, actorName } from "./action-words";
import { auditQuery, TEXT_PATTERN } from "./audit-params";
import { useAuditParams } from "./use-audit";

const ActionChoices = dynamic(() => import("./action-choices").then((module) => module.ActionChoices), {
  ssr: false,
});
const ActorChoices = dynamic(() => import("./actor-choices").then((module) => module.ActorChoices), {
  ssr: false,
});
const TimeChoices = dynamic(
  () => import("../../batches/filters/time-choices").then((module) => module.TimeChoices),
  { ssr: false },
);

const REQUEST_CHARS = 8;

export function AuditFilterBar() {
  const { params, setParams, clearFilters, filtered } = useAuditParams();
  const { zone } = useTimeZone();
  const { actor, action, target, request, from, to } = params;
  return (
    <div className="flex items-start gap-3 border-line border-b px-4 py-2.5 md:px-6">
      <search aria-label="Filters" className="flex flex-1 gap-1.5 overflow-x-auto py-0.5 md:flex-wrap">
        <FilterChip
          name="Actor"
          value={actor ? actorName(actor) : undefined}
          onClear={() => void setParams({ actor: null })}
        >
          {(close) => (
            <ActorChoices
              onChoose={(chosen) => {
                void setParams({ actor: chosen });
                close();
              }}
            />
          )}
        </FilterChip>
        <FilterChip
          name="Action"
          value={
            action?.length
              ? action.length === 1
                ? ACTION_TEXT[action[0]!].name
                : `${action.length} actions`
              : undefined
          }
          onClear={() => void setParams({ action: null })}
        >
          {() => (
            <ActionChoices
              chosen={action ?? []}
              onChange={(next) => void setParams({ action: next.length ? next : null })}
            />
          )}
        </FilterChip>
        <TextFilter
          name="Target"
          label="All or part of a batch ID, contract address or email"
          value={target}
          pattern={TEXT_PATTERN}
          rule="Enter 1 to 320 characters."
          placeholder="payout-2026-01"
          onChange={(next) => void setParams({ target: next })}
        />
        <TextFilter
          name="Request"
          label="Request ID"
          value={request}
          shown={request?.slice(0, REQUEST_CHARS)}
          pattern={TEXT_PATTERN}
          rule="Enter the whole request ID."
          placeholder="6f1e2c9a-…"
          onChange={(next) => void setParams({ request: next })}
        />
        <FilterChip
          name="Time"
          value={from || to ? describeRange(from, to, zone) : undefined}
          onClear={() => void setParams({ from: null, to: null })}
        >
          {(close) => (
            <TimeChoices
              onChoose={(range) => {
                void setParams(range);
                close();
              }}
            />
          )}
        </FilterChip>
        {filtered && (
          <Button variant="ghost" size="small" onClick={clearFilters}>
            Clear filters
          </Button>
        )}
      </search>
      <a
        href={auditQuery("/access/audit/export", params)}
        download
        className={`${buttonLook({ size: "small" })} my-0.5 max-md:hidden`}
      >
        <Download aria-hidden size={14} className="text-muted" />
        Export CSV
      </a>
    </div>
  );
}
