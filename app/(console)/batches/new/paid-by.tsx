"use client";
import { useQuery } from "@tanstack/react-query";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { batchPath, payoutPath } from "@/app/(console)/paths";
import { useTRPCClient } from "@/app/data/trpc";
import { Alert } from "@/app/ui/alert";
import { counted, formatAmount } from "@/app/ui/amount";
import { TextLink } from "@/app/ui/button";
import { Instant } from "@/app/ui/time";
import type { HolderPayment } from "@/server/allocations/list-payments";
import { HOLDER_REFERENCE_PATTERN } from "@/terms/batch-terms";
import type { Plan } from "./plan/plan";

const SHOWN_MAX = 5;

/** What other contracts have paid the holders of the snapshot that the first part's references name. */
export function usePaidByOthers(plan: Plan) {
  const { allocations } = useTRPCClient().console;
  return useQuery({
    queryKey: ["paid by others", plan.contractAddress, plan.idPrefix, plan.points],
    queryFn: async () => {
      const rows = await plan.readRows(0);
      const reference = rows
        .map((row) => row.reference ?? "")
        .find((one) => HOLDER_REFERENCE_PATTERN.test(one));
      const payments = reference === undefined ? [] : await allocations.payments.query({ reference });
      return payments.filter(({ contractAddress }) => contractAddress !== plan.contractAddress);
    },
    gcTime: 0,
  });
}

/** Who has paid the holders of a snapshot, how much and when. */
export function PaidBy({ payments }: { payments: readonly HolderPayment[] }) {
  return (
    <Alert title="Holders of this snapshot were already paid">
      <ul>
        {payments.slice(0, SHOWN_MAX).map((payment) => {
          const { contractAddress, contractLabel, payoutId, batchId, fileName, holders } = payment;
          const path = payoutId
            ? payoutPath({ ...payment, id: payoutId })
            : batchPath({ ...payment, id: batchId });
          return (
            <li key={`${contractAddress}/${batchId}`} className="wrap-anywhere">
              {counted(holders, "holder", "holders")} by {contractLabel}: {formatAmount(payment.points)}{" "}
              {TYPE_LABELS[payment.pointType]}, <Instant at={payment.submittedAt} />,{" "}
              <TextLink href={path}>{fileName ?? payoutId ?? batchId}</TextLink>
            </li>
          );
        })}
      </ul>
      {payments.length > SHOWN_MAX && <p>and {payments.length - SHOWN_MAX} more payments</p>}
      <p>Another contract would pay them a second time.</p>
    </Alert>
  );
}
