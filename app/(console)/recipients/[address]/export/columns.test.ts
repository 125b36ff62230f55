import Papa from "papaparse";
import { expect, test } from "vitest";
import type { ExportedTransfer } from "@/server/recipients/export-received";
import { csvPages } from "../../../../data/csv";
import { receivedColumns } from "./columns";

test("a line has every column of a transfer: exact amounts, times in UTC, and labels and reasons guarded against formulas", async () => {
  const address = `0x${"a".repeat(40)}`;
  const pages: ExportedTransfer[][] = [
    [
      {
        contractAddress: `0x${"c".repeat(40)}`,
        contractLabel: "=1+1",
        batchId: "payout-1",
        pointType: "PHASE2_GOLD",
        status: "CANCELLED",
        points: "12345678901234567890.000000000001",
        createdAt: "2026-05-01T12:00:00.000Z",
        finalizeAt: "2026-05-02T12:00:00.000Z",
        heldAt: "2026-05-01T13:00:00.000Z",
        heldBy: "staff:a@example.com",
        holdReason: "=2+2",
        awaitsApproval: false,
        creditedAt: null,
        cancelledAt: "2026-05-01T13:00:00.000Z",
        cancelledBy: "staff:ann@example.com",
        cancelReason: "=sent twice",
        reverses: null,
        reversedBy: {
          id: "payout-1-back",
          status: "PENDING",
          finalizeAt: "2026-05-04T12:00:00.000Z",
          updatedAt: null,
          heldAt: null,
          awaitsApproval: false,
        },
        running: { PHASE2_POINTS: "1.5", PHASE2_GOLD: "0" },
      },
    ],
  ];
  let text = "";
  for await (const chunk of csvPages(receivedColumns(address), pages)) text += chunk;
  const { data } = Papa.parse(text.trimEnd(), { header: true, newline: "\r\n" });
  expect(data).toEqual([
    {
      to_address: address,
      created_at: "2026-05-01T12:00:00.000Z",
      status: "CANCELLED",
      contract_label: "'=1+1",
      contract_address: `0x${"c".repeat(40)}`,
      batch_id: "payout-1",
      point_type: "PHASE2_GOLD",
      points: "12345678901234567890.000000000001",
      points_balance: "1.5",
      gold_balance: "0",
      finalize_at: "2026-05-02T12:00:00.000Z",
      held_at: "2026-05-01T13:00:00.000Z",
      held_by: "staff:a@example.com",
      awaits_approval: "",
      hold_reason: "'=2+2",
      finalized_at: "",
      cancelled_at: "2026-05-01T13:00:00.000Z",
      cancelled_by: "staff:ann@example.com",
      cancel_reason: "'=sent twice",
      reverses: "",
      reversed_by: "payout-1-back",
      reversal_status: "PENDING",
      reversal_finalize_at: "2026-05-04T12:00:00.000Z",
    },
  ]);
});
