"use client";
import { Ban, KeyRound, RotateCcw, UserCheck, UserCog } from "lucide-react";
import type { ReactElement } from "react";
import { Menu, MenuItem, MenuSeparator } from "@/app/ui/menu";
import type { StaffPerson } from "@/server/staff/schema";
import type { StaffDialog } from "./staff-dialogs";

export interface StaffMenuProps {
  person: StaffPerson;
  ownEmail: string;
  openDialog: (dialog: StaffDialog) => void;
}

export function StaffMenuPanel(props: StaffMenuProps & { trigger: ReactElement }) {
  const { trigger, person, ownEmail, openDialog } = props;
  // Who gave the access cannot confirm it, and nobody confirms their own.
  const mayConfirm =
    person.unconfirmedBy.length > 0 && ![person.email, ...person.unconfirmedBy].includes(ownEmail);
  return (
    <Menu trigger={trigger} defaultOpen>
      {mayConfirm && (
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
