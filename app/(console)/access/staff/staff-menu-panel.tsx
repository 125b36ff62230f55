"use client";
import { Ban, KeyRound, RotateCcw, UserCheck, UserCog } from "lucide-react";
import type { ReactElement } from "react";
import type { StaffPerson } from "@/server/staff/console-schema";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menu";
import type { StaffDialog } from "./staff-dialogs";

export interface StaffMenuProps {
  person: StaffPerson;
  openDialog: (dialog: StaffDialog) => void;
}

export function StaffMenuPanel({ trigger, person, openDialog }: StaffMenuProps & { trigger: ReactElement }) {
  return (
    <Menu trigger={trigger} defaultOpen>
      {person.unconfirmedBy.length > 0 && (
        <MenuItem icon={UserCheck} onClick={() => openDialog({ kind: "confirm", person })}>
          Confirm access…
        </MenuItem>
      )}
      <MenuItem icon={UserCog} onClick={() => openDialog({ kind: "role", person })}>
        Change role…
      </MenuItem>
      {person.state === "disabled" ? (
        <>
          <MenuSeparator />
          <MenuItem icon={RotateCcw} onClick={() => openDialog({ kind: "enable", person })}>
            Enable…
          </MenuItem>
        </>
      ) : (
        <>
          <MenuItem icon={KeyRound} onClick={() => openDialog({ kind: "link", person })}>
            Create password link…
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Ban} danger onClick={() => openDialog({ kind: "disable", person })}>
            Disable…
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
