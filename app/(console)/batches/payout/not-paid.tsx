"use client";
import type { ReactNode } from "react";
import { BatchIdLink } from "@/app/(console)/batch-link";
import { personName } from "@/app/(console)/batches/status";
import { ReversalStatus } from "@/app/(console)/batches/status-badge";
import { correctPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { Amount, formatCount } from "@/app/ui/amount";
import { ButtonLink } from "@/app/ui/button";
import { amountColumn, DataTable } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import type { ConsolePayout } from "@/server/payouts/schema";

interface Row {
  key: string;
  batch: ReactNode;
  transfers: number | null;
  points: string | null;
  why: ReactNode;
  correct?: string;
}

function rowsOf({ contractAddress, parts, stops, missingParts, reversals, now }: ConsolePayout): Row[] {
  const cancelled = parts.filter(({ status }) => status === "CANCELLED");
  return [
    ...cancelled.map((part) => {
      const stop = stops.find(({ batchId }) => batchId === part.id);
      return {
        key: part.id,
        batch: <BatchIdLink {...part} />,
        transfers: part.transferCount,
        points: part.points,
        why: `Cancelled${stop?.by ? ` by ${personName(stop.by)}` : ""}${stop?.reason ? `: “${stop.reason}”` : ""}`,
        correct: correctPath(part),
      };
    }),
    ...missingParts.map((part) => ({
      key: `part ${part}`,
      batch: `Part ${formatCount(part)}`,
      transfers: null,
      points: null,
      why: "Not stored: the upload was interrupted",
    })),
    ...reversals.map((reversal) => ({
      key: reversal.id,
      batch: <BatchIdLink contractAddress={contractAddress} id={reversal.reverses!} />,
      transfers: reversal.transferCount,
      points: reversal.points,
      why: (
        <ReversalStatus reversal={reversal} asOf={now}>
          <BatchIdLink {...reversal} />
        </ReversalStatus>
      ),
    })),
  ];
}

/** Who was not paid, or not for good, and why. */
export function NotPaid({ payout }: { payout: ConsolePayout }) {
  const { role } = useStaff();
  const rows = rowsOf(payout);
  if (rows.length === 0) return null;
  return (
    <Section title={payout.reversals.length > 0 ? "Not paid, or taken back" : "Not paid"}>
      <DataTable
        label="Not paid or taken back, and why"
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { name: "Batch", render: ({ batch }) => batch },
          {
            name: "Transfers",
            right: true,
            render: ({ transfers }) => (transfers === null ? "–" : <Amount value={String(transfers)} />),
          },
          amountColumn("Amount", rows, ({ points }) => points),
          {
            name: "Why",
            render: ({ why, correct }) => (
              <span className="wrap-anywhere flex flex-wrap items-center gap-2">
                {why}
                {correct && role !== "viewer" && (
                  <ButtonLink size="small" href={correct}>
                    Correct and resend
                  </ButtonLink>
                )}
              </span>
            ),
          },
        ]}
      />
    </Section>
  );
}
