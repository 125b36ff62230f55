"use client";
import { useMutation } from "@tanstack/react-query";
import { batchesOf } from "@/app/(console)/batches/status";
import { useChange, useTRPC } from "@/app/data/trpc";
import { ChangeDialog } from "@/app/ui/dialogs";
import type { ConsolePayout } from "@/server/payouts/schema";

interface ReleaseDialogProps {
  payout: ConsolePayout;
  close: () => void;
}

export default function ReleaseDialog({ payout, close }: ReleaseDialogProps) {
  const { payouts, batches } = useTRPC().console;
  const changed = useChange([payouts.get.queryFilter(), batches.pathFilter()], close);
  const release = useMutation(payouts.release.mutationOptions(changed("Payout released")));
  const { contractAddress, id, stored } = payout;
  return (
    <ChangeDialog
      title="Release this payout?"
      description={
        `Its ${batchesOf(stored)} return to their schedule. ` +
        "Those that are already due are finalized within seconds."
      }
      change={release}
      close={close}
      cancel="Not now"
      submit="Release payout"
      onSubmit={() => release.mutate({ contractAddress, payoutId: id })}
    />
  );
}
