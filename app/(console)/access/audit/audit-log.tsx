"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
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
import { personName } from "@/app/(console)/batches/status";
import { onPlainClick } from "@/app/(console)/batches/view-link";
import { allocationPath, jobPath, payoutPath } from "@/app/(console)/paths";
import { snapshotsPath } from "@/app/(console)/snapshots/snapshot-params";
import { usePages, useTRPC } from "@/app/data/trpc";
import { DownloadLink, Link, Spinner } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { CopyButton } from "@/app/ui/copy-button";
import { type DataColumn, PagedTable } from "@/app/ui/data-table";
import { shortenHash } from "@/app/ui/hash-text";
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
      <AccessHead here="audit" action={query.isPlaceholderData && <Spinner label="Loading" />} />
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

const BulkJobDialog = dynamic(() => import("@/app/(console)/batches/bulk-job"));

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
  {
    name: "Target",
    render: ({ target }) => <AuditTarget target={target} className="block max-w-52 truncate" />,
  },
  { name: "Request ID", render: (entry) => <RequestId {...entry} /> },
];

const ID_CHARS = 6;

function RequestId({ requestId }: AuditEntry) {
  if (!requestId) return null;
  return (
    <span className="flex h-9 items-center gap-1 font-mono hint" title={requestId}>
      {requestId.slice(0, ID_CHARS)}
      <CopyButton value={requestId} what="request ID" />
    </span>
  );
}

const BATCH = /^batch:(0x[0-9a-fA-F]{40})\/(.+)$/;
const PAYOUT = /^payout:(0x[0-9a-fA-F]{40})\/(.+)$/;
const ADDRESS = /^(contract|recipient):(0x[0-9a-fA-F]{40})$/;
const WITH_PAGE = /^(bulk|snapshot|allocation):([0-9a-f-]{36})$/;
const PAGES = {
  bulk: { name: "What it did", path: jobPath },
  snapshot: { name: "Snapshot", path: (snapshot: string) => snapshotsPath({ snapshot }) },
  allocation: { name: "Allocation", path: allocationPath },
};

function AuditTarget({ target, className }: { target: string; className?: string }) {
  const [, setParams] = useQueryStates(auditParams);
  const [, contractAddress, batchId] = BATCH.exec(target) ?? [];
  const [, kind, address] = ADDRESS.exec(target) ?? [];
  const [, noun, id = ""] = WITH_PAGE.exec(target) ?? [];
  const page = noun ? PAGES[noun as keyof typeof PAGES] : undefined;
  const payout = PAYOUT.exec(target);
  if (payout)
    return (
      <Link
        href={payoutPath({ contractAddress: payout[1]!, id: payout[2]! })}
        title={payout[2]}
        className={classNames("block truncate rounded-badge mono hover:text-accent", className)}
      >
        {payout[2]}
      </Link>
    );
  if (contractAddress && batchId)
    return <BatchLink contractAddress={contractAddress} id={batchId} className={className} />;
  const href = address ? `/${kind}s/${address}` : page?.path(id);
  // What a bulk action did is shown above the log, which keeps its filters.
  const open = noun === "bulk" ? onPlainClick(() => void setParams({ job: id })) : undefined;
  if (href)
    return (
      <Link
        href={href}
        onClick={open}
        title={target}
        className={classNames("rounded-badge hover:text-accent", className)}
      >
        {address ? shortenHash(address) : page?.name}
      </Link>
    );
  return (
    <span title={target} className={className}>
      {personName(target)}
    </span>
  );
}

const ActorChoices = dynamic(() => import("./actor-choices"));

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
