"use client";
import dynamic from "next/dynamic";
import { AUDIT_ACTIONS } from "@/server/audit/actions";
import { Button } from "../../../ui/button";
import { DownloadLink } from "../../../ui/download-link";
import { FilterChip, TextFilter, TimeChip } from "../../batches/filters/filter-chip";
import { CheckFilter } from "../../check-filter";
import { ACTION_TEXT, actorName } from "./action-text";
import { auditQuery, TEXT_PATTERN } from "./audit-params";
import { useAuditParams } from "./use-audit";

const ActorChoices = dynamic(() => import("./actor-choices").then((module) => module.ActorChoices), {
  ssr: false,
});

const REQUEST_CHARS = 8;
const ACTIONS = AUDIT_ACTIONS.map((value) => ({
  value,
  name: ACTION_TEXT[value][0],
  note: <code className="font-mono text-label text-muted">{value}</code>,
}));

export function AuditFilterBar() {
  const { params, setParams, clearFilters, filtered } = useAuditParams();
  const { actor, action, target, request, from, to } = params;
  return (
    <div className="flex items-start gap-3 border-line border-b px-4 py-2.5 md:px-6">
      <search aria-label="Filters" className="flex flex-1 gap-1.5 overflow-x-auto py-0.5 md:flex-wrap">
        <FilterChip
          name="Actor"
          value={actor ? actorName(actor) : undefined}
          onClear={() => void setParams({ actor: null })}
        >
          {(closing) => <ActorChoices onChoose={closing((chosen) => void setParams({ actor: chosen }))} />}
        </FilterChip>
        <CheckFilter
          name="Action"
          many="actions"
          options={ACTIONS}
          chosen={action}
          onChange={(next) => void setParams({ action: next })}
          className="grid w-[600px] max-w-full grid-cols-2 gap-x-2 max-sm:grid-cols-1"
        />
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
          rule="Enter the full request ID."
          placeholder="6f1e2c9a-…"
          onChange={(next) => void setParams({ request: next })}
        />
        <TimeChip name="Time" from={from} to={to} onChange={(range) => void setParams(range)} />
        {filtered && (
          <Button variant="ghost" size="small" onClick={clearFilters}>
            Clear filters
          </Button>
        )}
      </search>
      <DownloadLink
        href={auditQuery("/access/audit/export", params)}
        size="small"
        className="my-0.5 max-md:hidden"
      >
        Export CSV
      </DownloadLink>
    </div>
  );
}
