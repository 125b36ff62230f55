"use client";
import { useQueryStates } from "nuqs";
import { ContractChip } from "@/app/(console)/batches/filters/filter-chip";
import InvalidFiltersNote from "@/app/(console)/batches/invalid-filters-note";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { SwitchLinks } from "@/app/ui/switch-links";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { snapshotParams, snapshotsPath } from "./snapshot-params";

export interface SnapshotScope {
  pointType: PointType;
  /** Null for the holdings over all contracts. */
  contractAddress: string | null;
}

export function ScopeChoice({ pointType, contractAddress }: SnapshotScope) {
  const [, setParams] = useQueryStates(snapshotParams, { history: "push", shallow: false });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SwitchLinks
        name="Point type"
        chosen={pointType}
        options={POINT_TYPES.map((type) => [type, TYPE_LABELS[type]])}
        hrefOf={(type) => snapshotsPath({ type, contract: contractAddress })}
      />
      <ContractChip
        contract={contractAddress}
        onChange={(contract) => void setParams({ type: pointType, contract, snapshot: null })}
      />
    </div>
  );
}

export const InvalidScope = () => (
  <div className="p-4 md:p-6">
    <h1 className="font-semibold text-title">Snapshots</h1>
    <InvalidFiltersNote filters={snapshotParams} what="holders" isDrawn />
  </div>
);
