"use client";
import { useState } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { claimPath, receiptPath } from "@/app/(console)/paths";
import { formatAmount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { later } from "@/app/ui/later";
import type { WalletClaim } from "@/server/allocations/get-claim";
import type { ClaimOut } from "@/server/allocations/schema";
import type { ReceiptOut, WalletTransfer } from "@/server/receipts/schema";
import { LEAF_TYPES, leafOf } from "@/terms/receipt-leaf";
import type { Verified } from "./verify-dialog";

const VerifyDialog = later(() => import("./verify-dialog"));

const RECEIPT_WORDS = {
  title: "Verify this receipt",
  of: "batch",
  proven: "this transfer",
  publisher: "the contract’s owner",
} as const;
const CLAIM_WORDS = {
  title: "Verify this amount",
  of: "allocation’s OpenZeppelin tree",
  proven: "this amount",
  publisher: "the issuer",
} as const;

export function verifiedReceipt(address: string, transfer: WalletTransfer): Verified {
  const { points, pointType, batchId } = transfer;
  return {
    words: RECEIPT_WORDS,
    name: `Verify the receipt of ${batchId}`,
    isTakenBack: transfer.state === "TAKEN_BACK",
    description: `${formatAmount(points)} ${TYPE_LABELS[pointType]} to this wallet in batch ${batchId}`,
    path: receiptPath(address, transfer),
    leafTypes: LEAF_TYPES,
    read: (reply) => {
      const { root, proof, position } = reply as ReceiptOut;
      return { root, proof, leaf: leafOf(transfer, { toAddress: address, points }, position) };
    },
  };
}

export const VerifyReceipt = ({ address, transfer }: { address: string; transfer: WalletTransfer }) => (
  <VerifyButton verified={verifiedReceipt(address, transfer)} />
);

export function VerifyClaim({ address, claim }: { address: string; claim: WalletClaim }) {
  const { allocationId, name, tokens, amount } = claim;
  const unit = claim.unit ? TYPE_LABELS[claim.unit] : "tokens";
  const verified: Verified = {
    words: CLAIM_WORDS,
    name: `Verify the amount of ${name}`,
    description: `${formatAmount(tokens)} ${unit} for this wallet in “${name}”`,
    path: claimPath(address, allocationId),
    leafTypes: ["address", "uint256"],
    read: (reply) => {
      const { root, proof } = (reply as { claim: ClaimOut }).claim;
      return { root, proof, leaf: [address, amount] };
    },
  };
  return <VerifyButton verified={verified} />;
}

function VerifyButton({ verified }: { verified: Verified }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" aria-label={verified.name} onClick={() => setOpen(true)}>
        Verify
      </Button>
      {isOpen && <VerifyDialog verified={verified} close={() => setOpen(false)} />}
    </>
  );
}
