import { clsx } from "clsx";
import { CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import { allocationPath } from "@/app/(console)/paths";
import { formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { Link, TextLink } from "@/app/ui/button";
import { amountColumn, DataTable, ROW_LINK } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { When } from "@/app/ui/time";
import type { AllocationOut } from "@/server/allocations/schema";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";
import { AllocationStatus } from "./allocations/allocation-text";
import { snapshotsPath } from "./snapshot-params";

const LOOKS = {
  RUNNING: { label: "Running", tone: "finalizing", icon: LoaderCircle },
  TAKEN: { label: "Taken", tone: "finalized", icon: CircleCheck },
  FAILED: { label: "Failed", tone: "danger", icon: CircleX },
} as const;

/** Others have a part of the holders, or none. */
const isTaken = ({ status }: ConsoleSnapshot) => status === "TAKEN";

interface SnapshotListProps {
  snapshots: ConsoleSnapshot[];
  /** Of all of them. */
  allocations: AllocationOut[];
  shownId: string | undefined;
}

export const SnapshotList = ({ snapshots, allocations, shownId }: SnapshotListProps) => (
  <Section title="Snapshots" note="newest first · kept until somebody deletes them">
    <DataTable
      label="Table of snapshots"
      linked
      rows={snapshots}
      keyOf={({ id }) => id}
      columns={[
        {
          name: "Snapshot",
          render: ({ id, name }) => (
            <Link
              href={snapshotsPath({ snapshot: id })}
              aria-current={id === shownId ? "true" : undefined}
              className={clsx(ROW_LINK, "wrap-anywhere font-medium hover:text-accent")}
            >
              {name}
            </Link>
          ),
        },
        { name: "As of", render: ({ asOf }) => <When at={asOf} /> },
        {
          name: "Status",
          render: ({ status }) => <Badge {...LOOKS[status]} spin={status === "RUNNING"} />,
        },
        { name: "Holders", right: true, render: (one) => (isTaken(one) ? formatCount(one.holders) : "–") },
        amountColumn("Held", snapshots, (one) => (isTaken(one) ? one.points : undefined)),
        {
          name: "Allocations",
          render: ({ id }) => (
            <span className="relative z-10 flex flex-col gap-1">
              {allocations
                .filter(({ snapshotId }) => snapshotId === id)
                .map((allocation) => (
                  <span key={allocation.id} className="wrap-anywhere">
                    <TextLink href={allocationPath(allocation.id)}>{allocation.name}</TextLink>{" "}
                    <AllocationStatus {...allocation} />
                  </span>
                ))}
            </span>
          ),
        },
      ]}
    />
  </Section>
);
