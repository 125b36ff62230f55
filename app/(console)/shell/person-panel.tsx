"use client";
import { BookOpen, LogOut } from "lucide-react";
import type { ReactElement } from "react";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu";
import { ThemeChoices } from "../../ui/theme-choices";
import { leave } from "./sign-out";

interface PersonPanelProps {
  trigger: ReactElement;
  email: string;
  role: string;
}

export function PersonPanel({ trigger, email, role }: PersonPanelProps) {
  return (
    <Menu trigger={trigger} defaultOpen>
      <div className="px-2 pt-1.5 pb-2">
        <div className="truncate font-medium text-table">{email}</div>
        <div className="text-label text-muted">{role}</div>
      </div>
      <MenuSeparator />
      <ThemeChoices />
      <MenuSeparator />
      <MenuItem onClick={() => location.assign("/docs")}>
        <BookOpen aria-hidden size={14} className="text-muted" />
        API reference
      </MenuItem>
      <MenuItem onClick={() => void leave()}>
        <LogOut aria-hidden size={14} className="text-muted" />
        Sign out
      </MenuItem>
    </Menu>
  );
}
