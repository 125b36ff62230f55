import { Plus } from "lucide-react";
import { personName } from "@/app/(console)/batches/status";
import { allocationPath, newAllocationPath } from "@/app/(console)/paths";
import { formatCount } from "@/app/ui/amount";
import { ButtonLink, Link } from "@/app/ui/button";
import { amountColumn, DataTable, ROW_LINK } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { When } from "@/app/ui/time";
import { consoleCaller } from "@/server/trpc/caller";
import { formatUnits } from "@/terms/units";
import { AllocationStatus, shortRule } from "./allocation-text";

/** What was made of a snapshot. */
export async function AllocationList({ snapshotId }: { snapshotId: string }) {
  const caller = (await consoleCaller()).console;
  const [{ role }, allocations] = await Promise.all([
    caller.session.me(),
    caller.allocations.list({ snapshotId }),
  ]);
  return (
    <Section
      title="Allocations"
      note="amounts of a token for the holders"
      actions={
        role !== "viewer" && (
          <ButtonLink href={newAllocationPath(snapshotId)} size="small" icon={Plus}>
            New allocation…
          </ButtonLink>
        )
      }
    >
      <DataTable
        label="Allocations of the snapshot"
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
          {
            name: "Made by",
            render: ({ requestedBy }) => <span className="break-all">{personName(requestedBy)}</span>,
          },
          { name: "Made", render: ({ requestedAt }) => <When at={requestedAt} /> },
        ]}
      />
    </Section>
  );
}
