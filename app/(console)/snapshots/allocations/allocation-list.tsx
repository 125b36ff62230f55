import { Plus } from "lucide-react";
import { allocationPath, newAllocationPath } from "@/app/(console)/paths";
import { snapshotsPath } from "@/app/(console)/snapshots/snapshot-params";
import { formatCount } from "@/app/ui/amount";
import { ButtonLink, Link, TextLink } from "@/app/ui/button";
import { amountColumn, DataTable, ROW_LINK } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { When } from "@/app/ui/time";
import type { AllocationOut } from "@/server/allocations/schema";
import { consoleCaller } from "@/server/trpc/caller";
import { formatUnits } from "@/terms/units";
import { AllocationStatus, shortRule } from "./allocation-text";

interface AllocationListProps {
  allocations: AllocationOut[];
  /** What another one can be made of. */
  snapshotId: string | null;
}

/** Of all snapshots of the same holdings. */
export async function AllocationList({ allocations, snapshotId }: AllocationListProps) {
  const { role } = await (await consoleCaller()).console.session.me();
  return (
    <Section
      title="Allocations"
      note="amounts of a token for the holders, of all snapshots"
      actions={
        role !== "viewer" &&
        snapshotId && (
          <ButtonLink href={newAllocationPath(snapshotId)} size="small" icon={Plus}>
            New allocation…
          </ButtonLink>
        )
      }
    >
      <DataTable
        label="Allocations of these holdings"
        linked
        empty="None yet. An allocation turns these holdings into exact amounts of a token by a rule, with a
          Merkle proof for each holder and files for the tools that pay them out."
        rows={allocations}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "Allocation",
            render: ({ id, name }) => (
              <Link
                href={allocationPath(id)}
                className={`${ROW_LINK} wrap-anywhere font-medium hover:text-accent`}
              >
                {name}
              </Link>
            ),
          },
          {
            name: "Snapshot",
            render: ({ snapshotId: id, snapshotName }) => (
              <span className="relative z-10 wrap-anywhere">
                <TextLink href={snapshotsPath({ snapshot: id })}>{snapshotName}</TextLink>
              </span>
            ),
          },
          { name: "As of", render: ({ asOf }) => <When at={asOf} /> },
          { name: "Status", render: (allocation) => <AllocationStatus {...allocation} /> },
          {
            name: "Rule",
            render: (allocation) => <span className="wrap-anywhere">{shortRule(allocation)}</span>,
          },
          {
            name: "Claims",
            right: true,
            render: ({ claims }) => (claims === null ? "–" : formatCount(claims)),
          },
          amountColumn("Tokens", allocations, ({ sum, decimals }) =>
            sum === null ? null : formatUnits(BigInt(sum), decimals),
          ),
        ]}
      />
    </Section>
  );
}
