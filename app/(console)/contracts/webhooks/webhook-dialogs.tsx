"use client";
import { AddDialog } from "./add-dialog";
import { DeleteDialog } from "./delete-dialog";
import type { WebhookDialogProps } from "./dialog-props";
import { DisableDialog } from "./disable-dialog";
import { RotateDialog } from "./rotate-dialog";

export type Question = { kind: "add" } | { kind: "rotate" | "disable" | "delete"; id: string; url: string };

/** In one chunk, which is loaded with the first dialog. */
export function WebhookDialogs({ question, ...props }: WebhookDialogProps & { question: Question }) {
  switch (question.kind) {
    case "add":
      return <AddDialog {...props} />;
    case "rotate":
      return <RotateDialog {...props} {...question} />;
    case "disable":
      return <DisableDialog {...props} {...question} />;
    case "delete":
      return <DeleteDialog {...props} {...question} />;
  }
}
