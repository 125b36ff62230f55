"use client";
import { useMutation } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/app/ui/button";
import type { BulkAction, BulkPreviewInput } from "@/server/batches/bulk/schema";
import { useTRPC } from "../../../data/trpc";
import { ACTION_WORDS } from "./bulk-words";

const BulkDialog = dynamic(() => import("./bulk-dialog").then((module) => module.BulkDialog), { ssr: false });

interface BulkButtonsProps {
  chosen: BulkPreviewInput["chosen"];
  disabled?: boolean;
  actions?: readonly BulkAction[];
}

const ACTIONS = ["hold", "release", "cancel"] as const satisfies readonly BulkAction[];

export function BulkButtons({ chosen, disabled, actions = ACTIONS }: BulkButtonsProps) {
  const trpc = useTRPC();
  const preview = useMutation(trpc.console.bulk.preview.mutationOptions());
  const [asking, setAsking] = useState<BulkAction>();
  const ask = (action: BulkAction) => {
    setAsking(action);
    preview.mutate({ action, chosen });
  };
  return (
    <>
      {actions.map((action) => (
        <Button key={action} size="small" disabled={disabled} onClick={() => ask(action)}>
          {ACTION_WORDS[action].button}
        </Button>
      ))}
      {asking && (
        <BulkDialog
          key={asking}
          action={asking}
          preview={preview}
          onRetry={() => ask(asking)}
          close={() => setAsking(undefined)}
        />
      )}
    </>
  );
}
