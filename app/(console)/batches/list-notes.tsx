"use client";
import { Info, Layers, SearchX } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useStaff } from "@/app/(console)/staff";
import { Button } from "@/app/ui/button";
import { EmptyState } from "@/app/ui/states";
import { InvalidFiltersNote } from "./invalid-filters-note";
import type { FilterParams } from "./list-params";
import { limitedSort, lookedAt } from "./list-totals";
import { useListParams } from "./use-batch-list";

const Checklist = dynamic(
  () => import("@/app/(console)/setup/checklist").then((module) => module.Checklist),
  {
    ssr: false,
  },
);

/** @param props.limited whether only the latest batches were searched */
export function NoBatches({ limited }: { limited: boolean }) {
  const { params, chosen, clearFilters } = useListParams();
  if (chosen.length === 0) return <NothingYet />;
  return (
    <EmptyState icon={SearchX} title={limited ? "No matches so far" : "No batches match these filters"}>
      <p className="text-muted">
        {limited
          ? `None of ${lookedAt(params)} match. Narrow the creation time to search older ones.`
          : "Remove a filter above, or clear them all."}
      </p>
      <Button onClick={clearFilters}>Clear filters</Button>
    </EmptyState>
  );
}

function NothingYet() {
  const { role } = useStaff();
  return (
    <EmptyState icon={Layers} title="No batches yet">
      <p className="text-muted">
        A batch is a list of point transfers from one contract. It is pending until it is due, and can be
        cancelled until then. After that, each recipient is credited once.
      </p>
      {role !== "viewer" && (
        <p className="text-muted">
          Send the first one with the{" "}
          <Link href="/docs" className="text-accent underline">
            API
          </Link>
          , or{" "}
          <Link href="/batches/new" className="text-accent underline">
            upload a CSV or Excel file
          </Link>
          .
        </p>
      )}
      <Checklist />
    </EmptyState>
  );
}

export function InvalidFilters({ filters }: { filters: readonly string[] }) {
  const { params, setParams } = useListParams();
  return (
    <InvalidFiltersNote filters={filters} what="batches" statuses={params.status} setParams={setParams} />
  );
}

export function LimitedSort({ params }: { params: FilterParams }) {
  return (
    <p role="status" className="flex items-center gap-1.5 px-4 text-label text-muted md:px-6">
      <Info aria-hidden size={13} className="shrink-0" />
      <span>{limitedSort(params)}</span>
    </p>
  );
}
