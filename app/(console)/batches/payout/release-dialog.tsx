import { useState } from "react";
import { batchesOf, TYPE_LABELS } from "@/app/(console)/batches/status";
import { useChange, useTRPC } from "@/app/data/trpc";
import { formatAmount } from "@/app/ui/amount";
import { MutationDialog } from "@/app/ui/dialogs";
import type { ConsolePayout } from "@/server/payouts/read-payout";
import type { WaitingParts } from "@/server/payouts/schema";

export default function ReleaseDialog({ payout, close }: { payout: ConsolePayout; close: () => void }) {
  const { payouts, batches } = useTRPC().console;
  const changed = useChange([payouts.get.queryFilter(), batches.pathFilter()], close);
  const { contractAddress, id, heldApart, amounts, waitingDue: due } = payout;
  const sumOf = ({ batches, points }: WaitingParts) =>
    `${batchesOf(batches)} with ${formatAmount(points)} ` +
    (amounts.length === 1 ? TYPE_LABELS[amounts[0]!.pointType] : "points");
  // As of the opening: the release is refused if something else waits then.
  const [seen] = useState(payout.waiting);
  return (
    <MutationDialog
      title="Release this payout?"
      description={
        seen.batches === 0
          ? "Nothing is paid yet: people have put every batch of it on hold, and these holds stay. " +
            "Afterwards, “Release…” ends them."
          : `${sumOf(seen)}. Each returns to its original schedule.` +
            (due.batches > 0 ? ` ${sumOf(due)} due already: paid in seconds unless it needs approval.` : "") +
            (heldApart > 0
              ? ` ${batchesOf(heldApart)} that somebody put on hold can be released afterwards.`
              : "")
      }
      options={payouts.release.mutationOptions(changed("Payout released"))}
      close={close}
      cancel="Not now"
      submit="Release payout"
      inputOf={() => ({ contractAddress, payoutId: id, seen })}
    />
  );
}
