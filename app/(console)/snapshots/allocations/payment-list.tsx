import { PayoutBadge } from "@/app/(console)/batches/payout/payout-badge";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { ReportError } from "@/app/(console)/contracts/refresh";
import { contractPath, paymentPath } from "@/app/(console)/paths";
import { unlessBusy } from "@/app/(console)/reads";
import { Amount, formatCount } from "@/app/ui/amount";
import { Link, TextLink } from "@/app/ui/button";
import { amountColumn, DataTable, ROW_LINK } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { PAYMENTS_MAX } from "@/server/allocations/schema";
import { consoleCaller } from "@/server/trpc/caller";

/** What pays the holders of an allocation's snapshot, and so who cannot pay them again. */
export async function PaymentList({ allocationId }: { allocationId: string }) {
  const { allocations } = (await consoleCaller()).console;
  const payments = await unlessBusy(allocations.payments({ allocationId }));
  if (!payments)
    return (
      <ReportError title="What was paid is not available" detail="The service is busy. Try again later." />
    );
  const asOf = new Date().toISOString();
  return (
    <Section
      title="Paid in points"
      note="A contract pays each holder of a snapshot once, whichever of its allocations it pays"
    >
      <DataTable
        label="Payments of this snapshot’s holders"
        linked
        empty="No holder of this snapshot has been paid yet."
        rows={payments}
        keyOf={({ contractAddress, batchId }) => `${contractAddress}/${batchId}`}
        columns={[
          {
            name: "Paid by",
            render: ({ fileName, ...payment }) => (
              <Link
                href={paymentPath(payment)}
                className={`${ROW_LINK} wrap-anywhere font-medium hover:text-accent`}
              >
                {fileName ?? payment.payoutId ?? payment.batchId}
              </Link>
            ),
          },
          {
            name: "Contract",
            render: ({ contractAddress, contractLabel }) => (
              <span className="relative z-10 wrap-anywhere">
                <TextLink href={contractPath(contractAddress)}>{contractLabel}</TextLink>
              </span>
            ),
          },
          {
            name: "Holders",
            right: true,
            render: ({ holders, transferCount }) =>
              holders === transferCount
                ? formatCount(holders)
                : `${formatCount(holders)} of ${formatCount(transferCount)} transfers`,
          },
          amountColumn("Amount", payments, ({ points }) => points),
          { name: "Type", render: ({ pointType }) => TYPE_LABELS[pointType] },
          {
            name: "Status",
            render: ({ takenBack, ...payment }) => (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <PayoutBadge payout={{ ...payment, partCount: null, isShort: false }} asOf={asOf} />
                {takenBack !== "0" && (
                  <span>
                    <Amount value={takenBack} wraps /> taken back
                  </span>
                )}
              </span>
            ),
          },
        ]}
      />
      {payments.length === PAYMENTS_MAX && (
        <p className="hint">
          The newest {PAYMENTS_MAX} are listed. Others may be older, also those of other contracts.
        </p>
      )}
    </Section>
  );
}
