"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { useState } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { receiptPath } from "@/app/(console)/paths";
import { formatAmount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { Dialog } from "@/app/ui/dialogs";
import { TextField } from "@/app/ui/fields";
import { HashText } from "@/app/ui/hash-text";
import type { ReceiptOut, WalletTransfer } from "@/server/receipts/schema";
import type { Problem } from "@/terms/problems";
import { LEAF_TYPES, leafOf } from "@/terms/receipt-leaf";

const ROOT = /^0x[0-9a-f]{64}$/;

interface VerifyDialogProps {
  address: string;
  transfer: WalletTransfer;
  close: () => void;
}

/** Computes the proof in the browser, against the service's root or one that was published elsewhere. */
export default function VerifyDialog({ address, transfer, close }: VerifyDialogProps) {
  const [given, setGiven] = useState("");
  const published = given.trim().toLowerCase();
  const isRoot = ROOT.test(published);
  const proof = useQuery({
    queryKey: ["proof", address, transfer.contractAddress, transfer.batchId],
    queryFn: async () => {
      const receipt = await fetchReceipt(receiptPath(address, transfer));
      return { root: receipt.root, proves: await verifierOf(address, transfer, receipt) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const isGood = proof.data?.proves(isRoot ? published : proof.data.root);
  return (
    <Dialog
      close={close}
      title="Verify this receipt"
      description={
        `${formatAmount(transfer.points)} ${TYPE_LABELS[transfer.pointType]} ` +
        `to this wallet in batch ${transfer.batchId}`
      }
    >
      <div className="mt-4 flex flex-col gap-4">
        <div role="status" className="flex flex-col gap-2">
          {proof.isPending && <p className="text-muted text-table">Computing the proof…</p>}
          {proof.error && <Result isGood={false}>{proof.error.message}</Result>}
          {isGood !== undefined && <Result isGood={isGood}>{wordsOf(isGood, isRoot)}</Result>}
        </div>
        {proof.data && (
          <div className="text-table">
            <p className="text-muted">Root of the batch, from this service</p>
            <HashText value={proof.data.root} what="root" form="whole" />
          </div>
        )}
        <TextField
          label="Root that the contract published (optional)"
          hint="For example on a blockchain. Ask the contract’s owner where."
          error={given !== "" && !isRoot ? "A root is 0x followed by 64 hex digits." : undefined}
          value={given}
          onChange={(event) => setGiven(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          className="mono"
        />
        <div className="flex justify-end">
          <Button onClick={close}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}

function wordsOf(isGood: boolean, isPublished: boolean): string {
  if (isPublished)
    return isGood
      ? "Proven. The published root contains exactly this transfer."
      : "Not proven. Check that the root belongs to this batch, then ask the contract’s owner.";
  return isGood
    ? "The proof matches this service’s root. To be sure, enter the root that the contract published."
    : "The proof does not match this service’s own root. Report this to the people who run the service.";
}

function Result({ isGood, children }: { isGood: boolean; children: string }) {
  const Icon = isGood ? CircleCheck : CircleX;
  return (
    <p
      className={classNames(
        "flex gap-2 rounded-control px-3 py-2 text-table",
        isGood ? "bg-finalized-ground text-finalized" : "bg-danger-ground text-danger",
      )}
    >
      <Icon size={16} className="mt-0.5 shrink-0" />
      {children}
    </p>
  );
}

async function fetchReceipt(path: string): Promise<ReceiptOut> {
  const reply = await fetch(path);
  const body = (await reply.json().catch(() => null)) as ReceiptOut | Problem | null;
  if (reply.ok && body && "proof" in body) return body;
  throw new Error(body && "detail" in body ? body.detail : "The receipt could not be loaded. Try again.");
}

/** The leaf is made from what the page shows. The receipt gives only the position and the proof. */
async function verifierOf(
  address: string,
  transfer: WalletTransfer,
  { position, proof }: Pick<ReceiptOut, "position" | "proof">,
): Promise<(root: string) => boolean> {
  const { StandardMerkleTree } = await import("@openzeppelin/merkle-tree");
  const leaf = leafOf(transfer, { toAddress: address, points: transfer.points }, position);
  return (root) => StandardMerkleTree.verify(root, [...LEAF_TYPES], leaf, proof);
}
