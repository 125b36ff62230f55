"use client";
import { Ban, KeyRound, RotateCcw, UserCog } from "lucide-react";
import type { ReactElement } from "react";
import type { StaffPerson } from "@/server/staff/console-schema";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menu";
import type { Asked } from "./staff-dialog";

interface StaffMenuPanelProps {
  trigger: ReactElement;
  person: StaffPerson;
  ask: (asked: Asked) => void;
}

export function StaffMenuPanel({ trigger, person, ask }: StaffMenuPanelProps) {
  const disabled = person.state === "disabled";
  return (
    <Menu trigger={trigger} defaultOpen>
      <MenuItem onClick={() => ask({ kind: "role", person })}>
        <UserCog aria-hidden size={14} className="text-muted" />
        Change role…
      </MenuItem>
      {!disabled && (
        <MenuItem onClick={() => ask({ kind: "link", person })}>
          <KeyRound aria-hidden size={14} className="text-muted" />
          Create password link…
        </MenuItem>
      )}
      <MenuSeparator />
      {disabled ? (
        <MenuItem onClick={() => ask({ kind: "enable", person })}>
          <RotateCcw aria-hidden size={14} className="text-muted" />
          Enable…
        </MenuItem>
      ) : (
        <MenuItem onClick={() => ask({ kind: "disable", person })}>
          <Ban aria-hidden size={14} className="text-danger" />
          <span className="text-danger">Disable…</span>
        </MenuItem>
      )}
    </Menu>
  );
}
