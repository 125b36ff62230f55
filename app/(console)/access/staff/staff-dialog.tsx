"use client";
import type { StaffPerson } from "@/server/staff/console-schema";
import { DisableDialog } from "./disable-dialog";
import { EnableDialog } from "./enable-dialog";
import { InviteDialog } from "./invite-dialog";
import { LinkDialog } from "./link-dialog";
import { RoleDialog } from "./role-dialog";

export type Asked =
  | { kind: "invite" }
  | { kind: "role" | "link" | "disable" | "enable"; person: StaffPerson };

interface StaffDialogProps {
  asked: Asked;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  ownEmail: string;
}

export function StaffDialog({ asked, open, onOpenChange, ownEmail }: StaffDialogProps) {
  const shown = { open, onOpenChange };
  if (asked.kind === "invite") return <InviteDialog {...shown} />;
  const own = asked.person.email === ownEmail;
  const about = { ...shown, person: asked.person, own };
  switch (asked.kind) {
    case "role":
      return <RoleDialog {...about} />;
    case "link":
      return <LinkDialog {...about} />;
    case "disable":
      return <DisableDialog {...about} />;
    case "enable":
      return <EnableDialog {...about} />;
  }
}
