"use client";
import { Globe } from "lucide-react";
import { buttonLook } from "../../ui/button";
import { useTimeZone } from "../../ui/time-zone";
import { useLazyPanel } from "../../ui/use-lazy-panel";

const loadPanel = () => import("./zone-panel").then((module) => module.ZonePanel);

export function ZoneMenu() {
  const { zone } = useTimeZone();
  const { Panel, buttonProps } = useLazyPanel(loadPanel);
  const button = (
    <button
      type="button"
      className={buttonLook({ variant: "ghost" })}
      aria-label={`Time zone: ${zone}`}
      {...buttonProps}
    >
      <Globe aria-hidden size={14} />
      <span className="max-sm:hidden">{zone}</span>
    </button>
  );
  return Panel ? <Panel trigger={button} /> : button;
}
