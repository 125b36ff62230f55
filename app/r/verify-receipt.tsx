"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/app/ui/button";
import type { WalletTransfer } from "@/server/receipts/schema";

const VerifyDialog = dynamic(() => import("./verify-dialog"));

export function VerifyReceipt({ address, transfer }: { address: string; transfer: WalletTransfer }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        aria-label={`Verify the receipt of ${transfer.batchId}`}
        onClick={() => setOpen(true)}
      >
        Verify
      </Button>
      {isOpen && <VerifyDialog address={address} transfer={transfer} close={() => setOpen(false)} />}
    </>
  );
}
