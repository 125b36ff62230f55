"use client";
import { Globe } from "lucide-react";
import { Button } from "../../ui/button";
import { useTimeZone } from "../../ui/time-zone";
import { useLazyPanel } from "../../ui/use-lazy-panel";

const loadPanel = () => import("./zone-panel").then((module) => module.ZonePanel);

export function ZoneMenu() {
  const { zone } = useTimeZone();
  const { Panel, buttonProps } = useLazyPanel(loadPanel);
  const button = (
    <Button variant="ghost" aria-label={`Time zone: ${zone}`} icon={Globe} {...buttonProps}>
      <span className="max-sm:hidden">{zone}</span>
    </Button>
  );
  return Panel ? <Panel trigger={button} /> : button;
}
