"use client";
import { X } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { ADDRESS_PATTERN, BATCH_ID_PATTERN, POINTS_PATTERN } from "@/server/kernel/values/batch-terms";
import { formatAmount } from "../../../ui/amount";
import { Button } from "../../../ui/button";
import { buttonLook } from "../../../ui/button-look";
import { DownloadLink } from "../../../ui/download-link";
import { shortenHash } from "../../../ui/hash-text";
import { recipientPath } from "../../contracts/paths";
import { exportQuery } from "../list-params";
import { useListParams } from "../use-list-params";
import { ColumnMenu } from "./column-menu";
import { ContractFilter } from "./contract-filter";
import { SubmitterFilter } from "./submitter-filter";
import { TextFilter } from "./text-filter";
import { TimeFilter } from "./time-filter";

export const EXPORT_ID = "export-list";

export function FilterBar() {
  const { params, setParams, clearFilters, filtered } = useListParams();
  return (
    <div className="flex items-start gap-3 px-4 md:px-6">
      <search aria-label="Filters" className="flex flex-1 gap-1.5 overflow-x-auto py-0.5 md:flex-wrap">
        <ContractFilter />
        <TimeFilter name="Created" />
        <TimeFilter name="Due" />
        <TimeFilter name="Finalized" />
        <TextFilter
          name="Batch ID"
          label="Batch ID starts with"
          value={params.id}
          pattern={BATCH_ID_PATTERN}
          rule="Enter 1 to 64 letters, digits or any of . _ : ~ -"
          placeholder="payout-2026-"
          onChange={(id) => void setParams({ id })}
        />
        <TextFilter
          name="Recipient"
          label="Recipient address"
          value={params.recipient}
          shown={params.recipient ? shortenHash(params.recipient) : undefined}
          pattern={ADDRESS_PATTERN}
          rule="Enter 0x followed by 40 hex digits."
          placeholder="0x…"
          onChange={(recipient) => void setParams({ recipient })}
        />
        <TextFilter
          name="Minimum amount"
          label="Batch total is at least"
          value={params.min}
          shown={params.min ? `≥ ${formatAmount(params.min)}` : undefined}
          pattern={POINTS_PATTERN}
          rule="Enter a plain decimal number, such as 1000.5."
          placeholder="1000"
          onChange={(min) => void setParams({ min })}
        />
        <SubmitterFilter />
        {params.upload && (
          <FixedFilter onClear={() => void setParams({ upload: null })}>
            <span className="text-muted">File</span> One upload
          </FixedFilter>
        )}
        {params.unblocked && (
          <FixedFilter onClear={() => void setParams({ unblocked: null })}>
            Pending, not on hold or awaiting approval
          </FixedFilter>
        )}
        {params.reversals && (
          <FixedFilter onClear={() => void setParams({ reversals: null })}>Reversals</FixedFilter>
        )}
        {params.recipient && (
          <Link
            href={recipientPath(params.recipient)}
            prefetch={false}
            className={buttonLook({ variant: "ghost", size: "small" })}
          >
            View recipient
          </Link>
        )}
        {filtered && (
          <Button variant="ghost" size="small" onClick={clearFilters}>
            Clear filters
          </Button>
        )}
      </search>
      <div className="flex gap-1.5 py-0.5 max-md:hidden">
        <ColumnMenu />
        <DownloadLink size="small" id={EXPORT_ID} href={exportQuery("/batches/export", params)}>
          Export CSV
        </DownloadLink>
      </div>
    </div>
  );
}

/** A filter that a link or view has set, and that can only be cleared. */
function FixedFilter({ onClear, children }: { onClear: () => void; children: ReactNode }) {
  return (
    <Button size="small" onClick={onClear}>
      {children}
      <X aria-hidden size={12} />
      <span className="sr-only">Clear</span>
    </Button>
  );
}
