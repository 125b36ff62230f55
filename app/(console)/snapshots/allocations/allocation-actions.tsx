"use client";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { personName } from "@/app/(console)/batches/status";
import { snapshotsPath } from "@/app/(console)/snapshots/snapshot-params";
import { useStaff } from "@/app/(console)/staff";
import { useChange, useTRPC } from "@/app/data/trpc";
import { counted } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { ChangeDialog } from "@/app/ui/dialogs";
import type { AllocationOut } from "@/server/allocations/schema";
import { amountText } from "./allocation-text";

interface ActionProps {
  allocation: AllocationOut;
  close: () => void;
}

/** Nothing of a published allocation can be changed. */
export function AllocationActions({ allocation }: Pick<ActionProps, "allocation">) {
  const { role, email } = useStaff();
  const [open, setOpen] = useState<"publish" | "delete" | null>(null);
  const close = () => setOpen(null);
  if (allocation.publishedAt) return null;
  const isMine = allocation.requestedBy === `staff:${email}`;
  const isReady = allocation.status === "READY";
  const mayPublish = role === "admin" && !(allocation.needsSecondPerson && isMine);
  return (
    <>
      {isReady && !mayPublish && <span className="self-center hint">{publisherText(allocation)}</span>}
      {role !== "viewer" && <Button onClick={() => setOpen("delete")}>Delete…</Button>}
      {isReady && mayPublish && (
        <Button variant="primary" onClick={() => setOpen("publish")}>
          Publish…
        </Button>
      )}
      {open === "publish" && <PublishDialog allocation={allocation} close={close} />}
      {open === "delete" && <DeleteDialog allocation={allocation} close={close} />}
    </>
  );
}

const publisherText = ({ needsSecondPerson, requestedBy }: AllocationOut) =>
  needsSecondPerson
    ? `An approval rule is in force: any admin except ${personName(requestedBy)} can publish it.`
    : "Any admin can publish it.";

function PublishDialog({ allocation, close }: ActionProps) {
  const { id, name, claims, sum } = allocation;
  const { allocations } = useTRPC().console;
  const router = useRouter();
  const changed = useChange([allocations.pathFilter()], () => {
    close();
    router.refresh();
  });
  const publish = useMutation(allocations.publish.mutationOptions(changed("Allocation published")));
  return (
    <ChangeDialog
      change={publish}
      close={close}
      title="Publish this allocation?"
      description={
        <>
          <p>
            Anyone who knows an address can then see its claim of “{name}”:{" "}
            {counted(claims ?? 0, "claim", "claims")}, {amountText(sum ?? "0", allocation)} in all.
          </p>
          <p className="mt-2">
            This can never be undone. The allocation and its snapshot can then be neither changed nor deleted.
          </p>
        </>
      }
      submit="Publish"
      onSubmit={() => publish.mutate({ allocationId: id })}
    />
  );
}

function DeleteDialog({ allocation: { id, name, snapshotId }, close }: ActionProps) {
  const { allocations } = useTRPC().console;
  const router = useRouter();
  const changed = useChange([allocations.pathFilter()], () => {
    close();
    router.push(snapshotsPath({ snapshot: snapshotId }));
    router.refresh();
  });
  const remove = useMutation(allocations.delete.mutationOptions(changed("Allocation deleted")));
  return (
    <ChangeDialog
      change={remove}
      close={close}
      title="Delete this allocation?"
      description={`“${name}” and its claims are deleted for good. Its snapshot stays.`}
      submit="Delete allocation"
      danger
      onSubmit={() => remove.mutate({ allocationId: id })}
    />
  );
}
