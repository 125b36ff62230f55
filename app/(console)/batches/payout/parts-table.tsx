import { BatchIdLink } from "@/app/(console)/batch-link";
import { personName, transfersOf } from "@/app/(console)/batches/status";
import { ReversalStatus, StatusBadge, UnusualMark } from "@/app/(console)/batches/status-badge";
import { correctPath, receiptsPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { Amount, formatAmount } from "@/app/ui/amount";
import { ButtonLink, DownloadLink } from "@/app/ui/button";
import { amountColumn, DataTable } from "@/app/ui/data-table";
import { Instant } from "@/app/ui/time";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import type { ConsolePayout } from "@/server/payouts/read-payout";

/** Each with the reason if it was not paid, or not for good. */
export const PartsTable = ({ payout, parts }: { payout: ConsolePayout; parts: readonly ConsoleBatch[] }) => (
  <DataTable
    label="Batches of this payout"
    rows={parts}
    keyOf={({ id }) => id}
    columns={[
      {
        name: "Batch",
        render: (part) => (
          <span className="block min-w-64">
            <BatchIdLink {...part} />
          </span>
        ),
      },
      { name: "Transfers", right: true, render: (part) => <Amount value={String(part.transferCount)} /> },
      amountColumn("Amount", parts, ({ points }) => points),
      {
        name: "Status",
        render: (part) => (
          <span className="wrap-anywhere flex flex-wrap items-center gap-x-2 gap-y-1">
            <StatusBadge batch={part} compact />
            <UnusualMark flag={part.flag} /> {part.flag?.why}
            <WhyNotPaid payout={payout} part={part} />
          </span>
        ),
      },
      { name: "Due", render: (part) => <Instant at={part.finalizeAt} className="whitespace-nowrap" /> },
      ...(parts.some(({ status }) => status === "FINALIZED") ? [RECEIPTS] : []),
    ]}
  />
);

const RECEIPTS = {
  name: "Receipts",
  render: (part: ConsoleBatch) =>
    part.status === "FINALIZED" && (
      <DownloadLink size="small" href={receiptsPath(part)} aria-label={`Download receipts of ${part.id}`}>
        Download
      </DownloadLink>
    ),
};

function WhyNotPaid({ payout, part }: { payout: ConsolePayout; part: ConsoleBatch }) {
  const { role } = useStaff();
  const stop = payout.stops.find(({ batchId }) => batchId === part.id);
  const notPaid = payout.notPaid.find(({ batchId }) => batchId === part.id);
  return (
    <>
      {stop && (
        <span>
          by {personName(stop.by)}
          {stop.reason && `: “${stop.reason}”`}
        </span>
      )}
      {stop?.correctedBy && (
        <span>
          Corrected by <BatchIdLink contractAddress={part.contractAddress} id={stop.correctedBy} />
        </span>
      )}
      {stop && !stop.correctedBy && !notPaid && <span>Sent again</span>}
      {notPaid && notPaid.transferCount < part.transferCount && (
        <span>{transfersOf(notPaid.transferCount)} not paid</span>
      )}
      {notPaid && !stop?.correctedBy && role !== "viewer" && (
        <ButtonLink size="small" href={correctPath(part)}>
          Correct and resend
        </ButtonLink>
      )}
      {reversalsOf(payout, part).map((reversal) => (
        <ReversalStatus key={reversal.id} reversal={reversal}>
          <BatchIdLink {...reversal} />
          {reversal.points !== part.points &&
            ` (${formatAmount(reversal.points)} of ${formatAmount(part.points)})`}
        </ReversalStatus>
      ))}
    </>
  );
}

const reversalsOf = ({ reversals }: ConsolePayout, part: ConsoleBatch) =>
  reversals.filter(({ reverses }) => reverses === part.id);

export const isUnpaid = (payout: ConsolePayout, part: ConsoleBatch) =>
  payout.notPaid.some(({ batchId }) => batchId === part.id) || reversalsOf(payout, part).length > 0;
