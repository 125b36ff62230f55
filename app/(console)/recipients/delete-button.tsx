"use client";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useStaff } from "@/app/(console)/staff";
import { useChange, useTRPC } from "@/app/data/trpc";
import { counted } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { ChangeDialog } from "@/app/ui/dialogs";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";
import { recipientsPath } from "./snapshot-params";

export function DeleteButton({ snapshot }: { snapshot: ConsoleSnapshot }) {
  const { role } = useStaff();
  const [isOpen, setOpen] = useState(false);
  if (role === "viewer") return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Delete…
      </Button>
      {isOpen && <DeleteDialog snapshot={snapshot} close={() => setOpen(false)} />}
    </>
  );
}

function DeleteDialog({ snapshot, close }: { snapshot: ConsoleSnapshot; close: () => void }) {
  const { id, name, holders, pointType, contractAddress } = snapshot;
  const { snapshots } = useTRPC().console;
  const router = useRouter();
  const changed = useChange([snapshots.pathFilter()], () => {
    close();
    router.push(recipientsPath({ type: pointType, contract: contractAddress }));
    router.refresh();
  });
  const remove = useMutation(snapshots.delete.mutationOptions(changed("Snapshot deleted")));
  return (
    <ChangeDialog
      change={remove}
      close={close}
      title="Delete this snapshot?"
      description={
        `“${name}” and the holdings of its ${counted(holders, "holder", "holders")} are deleted for good. ` +
        "Only the name, the type and the digest stay, in the audit log."
      }
      submit="Delete snapshot"
      danger
      onSubmit={() => remove.mutate({ snapshotId: id })}
    />
  );
}
