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
import { takeFocus, useHydrated } from "@/app/ui/hooks";
import type { AllocationOut } from "@/server/allocations/schema";
import { PAYERS, unitOf } from "@/terms/claims/payers";
import { amountText, ruleText } from "./allocation-text";

/** Has the focus after another page of the console, such as the form that has made the allocation. */
export function AllocationHeading({ name }: { name: string }) {
  const [isNext] = useState(useHydrated());
  return (
    <h1 ref={isNext ? takeFocus : undefined} tabIndex={-1} className="wrap-anywhere font-semibold text-title">
      {name}
    </h1>
  );
}

/** Nothing of a published allocation can be changed. */
export function AllocationActions({ allocation }: { allocation: AllocationOut }) {
  const { role, email, isUnconfirmed } = useStaff();
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  if (allocation.publishedAt) return null;
  const isMine = allocation.requestedBy === `staff:${email}`;
  const isReady = allocation.status === "READY";
  const mayPublish = role === "admin" && !(allocation.needsSecondPerson && (isMine || isUnconfirmed));
  return (
    <>
      {isReady && !mayPublish && <span className="self-center hint">{publisherText(allocation)}</span>}
      {role !== "viewer" && <Button onClick={() => setOpen("delete")}>Delete…</Button>}
      {isReady && mayPublish && (
        <Button variant="primary" onClick={() => setOpen("publish")}>
          Publish…
        </Button>
      )}
      {open && <ActionDialog action={open} allocation={allocation} close={() => setOpen(null)} />}
    </>
  );
}

const publisherText = ({ needsSecondPerson, requestedBy }: AllocationOut) =>
  needsSecondPerson
    ? `An approval rule is in force: any admin except ${personName(requestedBy)} can publish it.`
    : "Any admin can publish it.";

/** That its payer reads. Proofs here are against OpenZeppelin's. */
const rootOf = ({ payer, roots }: AllocationOut) =>
  roots?.[(payer && PAYERS[payer].root) ?? "openzeppelin"] ?? roots?.openzeppelin;

const DIALOGS = {
  publish: {
    title: "Publish this allocation?",
    submit: "Publish",
    done: "Allocation published",
    textOf: (allocation: AllocationOut) => (
      <>
        <p>
          Anyone who knows an address can then see what it gets by “{allocation.name}”:{" "}
          {counted(allocation.claims ?? 0, "recipient", "recipients")},{" "}
          {amountText(allocation.sum ?? "0", allocation)} in all.
          {unitOf(allocation.payer) !== "tokens" && " It can then be paid here."}
        </p>
        <p className="wrap-anywhere mt-2 text-text">
          {ruleText(allocation)} Merkle root: <span className="mono">{rootOf(allocation)}</span>
        </p>
        <p className="mt-2">
          This can never be undone. The allocation and its snapshot can then be neither changed nor deleted.
        </p>
      </>
    ),
  },
  delete: {
    title: "Delete this allocation?",
    submit: "Delete allocation",
    done: "Allocation deleted",
    textOf: ({ name }: AllocationOut) => `“${name}” and its claims are deleted for good. Its snapshot stays.`,
  },
} as const;

interface ActionDialogProps {
  action: keyof typeof DIALOGS;
  allocation: AllocationOut;
  close: () => void;
}

function ActionDialog({ action, allocation, close }: ActionDialogProps) {
  const { title, submit, done, textOf } = DIALOGS[action];
  const { allocations } = useTRPC().console;
  const router = useRouter();
  const changed = useChange([allocations.pathFilter()], () => {
    close();
    if (action === "delete") router.push(snapshotsPath({ snapshot: allocation.snapshotId }));
    router.refresh();
  });
  const publish = useMutation(allocations.publish.mutationOptions(changed(done)));
  const remove = useMutation(allocations.delete.mutationOptions(changed(done)));
  const change = action === "publish" ? publish : remove;
  return (
    <ChangeDialog
      change={change}
      close={close}
      title={title}
      description={textOf(allocation)}
      submit={submit}
      danger={action === "delete"}
      // Once it is published, the button that asked is gone.
      finalFocus={() => (change.isPending ? document.querySelector("h1") : null)}
      onSubmit={() => change.mutate({ allocationId: allocation.id })}
    />
  );
}
