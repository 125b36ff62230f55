import { useRouter } from "next/navigation";
import { useChange, useTRPC } from "@/app/data/trpc";
import { counted } from "@/app/ui/amount";
import { MutationDialog } from "@/app/ui/dialogs";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";
import { snapshotsPath } from "./snapshot-params";

export default function DeleteDialog({ snapshot, close }: { snapshot: ConsoleSnapshot; close: () => void }) {
  const { id, name, status, holders, pointType, contractAddress } = snapshot;
  const { snapshots } = useTRPC().console;
  const router = useRouter();
  const changed = useChange([snapshots.pathFilter()], () => {
    close();
    router.push(snapshotsPath({ type: pointType, contract: contractAddress }));
    router.refresh();
  });
  return (
    <MutationDialog
      options={snapshots.delete.mutationOptions(changed("Snapshot deleted"))}
      close={close}
      title="Delete this snapshot?"
      description={
        status === "TAKEN"
          ? `“${name}” and the holdings of its ${counted(holders, "holder", "holders")} are deleted for ` +
            "good. Only its name, type and digest stay, in the audit log."
          : `“${name}” has no holders yet. If it is being taken, that stops.`
      }
      submit="Delete snapshot"
      danger
      inputOf={() => ({ snapshotId: id })}
    />
  );
}
