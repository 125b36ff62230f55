"use client";
import { Ellipsis } from "lucide-react";
import { Button } from "../../../ui/button";
import { useLazyPanel } from "../../../ui/use-lazy-panel";
import type { StaffMenuProps } from "./staff-menu-panel";

const loadPanel = () => import("./staff-menu-panel").then((module) => module.StaffMenuPanel);

export function StaffMenu(props: StaffMenuProps) {
  const { Panel, buttonProps } = useLazyPanel(loadPanel);
  const button = (
    <Button variant="ghost" size="icon" aria-label={`Manage ${props.person.email}`} {...buttonProps}>
      <Ellipsis aria-hidden size={16} />
    </Button>
  );
  return Panel ? <Panel {...props} trigger={button} /> : button;
}
