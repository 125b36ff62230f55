import { useState } from "react";
import { ACTION_WORDS } from "@/app/(console)/batches/bulk-words";
import { batchesOf, TYPE_LABELS } from "@/app/(console)/batches/status";
import { useChange, useTRPC } from "@/app/data/trpc";
import { formatAmount } from "@/app/ui/amount";
import { MutationDialog } from "@/app/ui/dialogs";
import type { ConsolePayout } from "@/server/payouts/read-payout";

export default function ReleaseDialog({ payout, close }: { payout: ConsolePayout; close: () => void }) {
  const { payouts, batches } = useTRPC().console;
  const changed = useChange([payouts.get.queryFilter(), batches.pathFilter()], close);
  const { contractAddress, id, heldApart, amounts } = payout;
  // As of the opening: the release is refused if something else waits then.
  const [seen] = useState(payout.waiting);
  return (
    <MutationDialog
      title="Release this payout?"
      description={
        seen.batches === 0
          ? "Nothing is paid yet: people have put every batch of it on hold, and these holds stay. " +
            "Afterwards, “Release…” ends them."
          : `${batchesOf(seen.batches)} with ${formatAmount(seen.points)} ` +
            `${amounts.length === 1 ? TYPE_LABELS[amounts[0]!.pointType] : "points"}. ` +
            ACTION_WORDS.release.what +
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
