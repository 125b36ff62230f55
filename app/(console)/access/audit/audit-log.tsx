"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useQueryStates } from "nuqs";
import { AccessHead } from "@/app/(console)/access/access-head";
import { BatchLink } from "@/app/(console)/batch-link";
import {
  CheckFilter,
  FilterChip,
  FilterRow,
  TextFilter,
  TimeChip,
} from "@/app/(console)/batches/filters/filter-chip";
import { hasFilters } from "@/app/(console)/batches/list-params";
import { onPlainClick } from "@/app/(console)/batches/plain-click";
import { personName } from "@/app/(console)/batches/status";
import { allocationPath, contractPath, jobPath, payoutPath, recipientPath } from "@/app/(console)/paths";
import { snapshotsPath } from "@/app/(console)/snapshots/snapshot-params";
import { usePages, useTRPC } from "@/app/data/trpc";
import { DownloadLink, Link, Spinner } from "@/app/ui/button";
import { CopyButton } from "@/app/ui/copy-button";
import { type DataColumn, PagedTable } from "@/app/ui/data-table";
import { shortenHash } from "@/app/ui/hash-text";
import { later } from "@/app/ui/later";
import { When } from "@/app/ui/time";
import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from "@/server/audit/actions";
import type { AuditEntry } from "@/server/audit/list-audit";
import { actorName, sentenceOf } from "./action-text";
import { auditParams, auditQuery, TEXT_PATTERN, toAuditFilters } from "./audit-params";

export function AuditLog() {
  const [{ job, ...params }, setParams] = useQueryStates(auditParams);
  const query = useInfiniteQuery(usePages(useTRPC().console.audit.list, toAuditFilters(params)));
  return (
    <div className="flex flex-col">
      <AccessHead here="/access/audit" action={query.isPlaceholderData && <Spinner label="Loading" />} />
      <AuditFilterBar />
      <div className="flex flex-col gap-3 p-4 md:p-6">
        <PagedTable
          label="Audit log"
          columns={COLUMNS}
          rows={query.data?.pages.flatMap((page) => page.entries) ?? []}
          keyOf={({ id }) => id}
          query={query}
          one="entry"
          many="entries"
          empty={
            hasFilters(params)
              ? "No entries match these filters. Remove a filter above, or clear them all."
              : "No entries yet. Every change made in the console or on the command line appears here, " +
                "with the actor, the time and the reason."
          }
        />
      </div>
      {job && <BulkJobDialog jobId={job} close={() => void setParams({ job: null })} />}
    </div>
  );
}

const BulkJobDialog = later(() => import("@/app/(console)/batches/bulk-job"));

const ID_CHARS = 6;

const COLUMNS: readonly DataColumn<AuditEntry>[] = [
  { name: "Time", render: ({ at }) => <When at={at} /> },
  {
    name: "Actor",
    render: ({ actor }) => (
      <span className="block max-w-48 truncate" title={actor}>
        {actorName(actor)}
      </span>
    ),
  },
  { name: "Action", render: (entry) => <span className="wraps">{sentenceOf(entry)}</span> },
  { name: "Target", render: (entry) => <AuditTarget {...entry} /> },
  {
    name: "Request ID",
    render: ({ requestId }) =>
      requestId && (
        <span className="flex h-9 items-center gap-1 font-mono hint" title={requestId}>
          {requestId.slice(0, ID_CHARS)}
          <CopyButton value={requestId} what="request ID" />
        </span>
      ),
  },
];

/** Its kind, an address or a UUID, and of a batch or a payout its ID. */
const TARGET = /^([a-z]+):(0x[0-9a-fA-F]{40}|[0-9a-f-]{36})(?:\/(.+))?$/;

/** Where a target leads, and what the link says. */
const PLACES: Record<string, (subject: string, id: string) => [href: string, name: string]> = {
  payout: (contractAddress, id) => [payoutPath({ contractAddress, id }), id],
  contract: (address) => [contractPath(address), shortenHash(address)],
  recipient: (address) => [recipientPath(address), shortenHash(address)],
  bulk: (jobId) => [jobPath(jobId), "What it did"],
  snapshot: (snapshot) => [snapshotsPath({ snapshot }), "Snapshot"],
  allocation: (allocationId) => [allocationPath(allocationId), "Allocation"],
};

const TARGET_LOOK = "block max-w-52 truncate";

function AuditTarget({ target }: Pick<AuditEntry, "target">) {
  const [, setParams] = useQueryStates(auditParams);
  const [, kind = "", subject = "", id = ""] = TARGET.exec(target) ?? [];
  if (kind === "batch") return <BatchLink contractAddress={subject} id={id} className={TARGET_LOOK} />;
  const [href, name] = PLACES[kind]?.(subject, id) ?? [];
  if (!href)
    return (
      <span title={target} className={TARGET_LOOK}>
        {personName(target)}
      </span>
    );
  // What a bulk action did is shown above the log, which keeps its filters.
  const open = kind === "bulk" ? onPlainClick(() => void setParams({ job: subject })) : undefined;
  return (
    <Link
      href={href}
      onClick={open}
      title={target}
      className={clsx("rounded-badge hover:text-accent", kind === "payout" && "mono", TARGET_LOOK)}
    >
      {name}
    </Link>
  );
}

const ActorChoices = later(() => import("./actor-choices"));

const REQUEST_CHARS = 8;
const ACTIONS = AUDIT_ACTION_NAMES.map((value) => ({
  value,
  name: AUDIT_ACTIONS[value][0],
  note: <code className="font-mono hint">{value}</code>,
}));

function AuditFilterBar() {
  const [{ job, ...params }, setParams] = useQueryStates(auditParams, { history: "push" });
  const { actor, action, target, request, from, to } = params;
  return (
    <div className="flex items-start gap-3 border-line border-b px-4 py-2.5 md:px-6">
      <FilterRow onClear={hasFilters(params) ? () => void setParams(null) : undefined} className="flex-1">
        <FilterChip
          name="Actor"
          value={actor ? actorName(actor) : undefined}
          onClear={() => void setParams({ actor: null })}
        >
          {(closing) => <ActorChoices onChoose={closing((chosen) => void setParams({ actor: chosen }))} />}
        </FilterChip>
        <CheckFilter
          name="Action"
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
      </FilterRow>
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
