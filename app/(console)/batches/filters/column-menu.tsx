"use client";
import { Columns3 } from "lucide-react";
import { buttonLook } from "../../../ui/button-look";
import { useLazyPanel } from "../../../ui/use-lazy-panel";

const loadPanel = () => import("./column-panel").then((module) => module.ColumnPanel);

export function ColumnMenu() {
  const { Panel, buttonProps } = useLazyPanel(loadPanel);
  const button = (
    <button type="button" className={buttonLook({ size: "small" })} {...buttonProps}>
      <Columns3 aria-hidden size={14} className="text-muted" />
      Columns
    </button>
  );
  return Panel ? <Panel trigger={button} /> : button;
}
