"use client";
import { Ellipsis } from "lucide-react";
import type { StaffPerson } from "@/server/staff/console-schema";
import { buttonLook } from "../../../ui/button";
import { useLazyPanel } from "../../../ui/use-lazy-panel";
import type { Asked } from "./staff-dialog";

const loadPanel = () => import("./staff-menu-panel").then((module) => module.StaffMenuPanel);

export function StaffMenu({ person, ask }: { person: StaffPerson; ask: (asked: Asked) => void }) {
  const { Panel, buttonProps } = useLazyPanel(loadPanel);
  const button = (
    <button
      type="button"
      aria-label={`Manage ${person.email}`}
      className={buttonLook({ variant: "ghost", size: "icon" })}
      {...buttonProps}
    >
      <Ellipsis aria-hidden size={16} />
    </button>
  );
  return Panel ? <Panel trigger={button} person={person} ask={ask} /> : button;
}
