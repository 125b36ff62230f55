"use client";
import { Globe, Menu as MenuIcon } from "lucide-react";
import { useStaff } from "@/app/(console)/staff";
import { Button } from "@/app/ui/button";
import { useLazyPanel } from "@/app/ui/hooks";
import { useTimeZone } from "@/app/ui/time";

export function PersonMenu() {
  const { email, role } = useStaff();
  const { Panel, buttonProps } = useLazyPanel(() => import("./person-panel"));
  const button = (
    <Button variant="ghost" size="icon" aria-label={`${email}, ${role}`} {...buttonProps}>
      <span aria-hidden className="disc border border-line font-semibold uppercase">
        {email.slice(0, 1)}
      </span>
    </Button>
  );
  return Panel ? <Panel trigger={button} /> : button;
}

export function ZoneMenu() {
  const { zone } = useTimeZone();
  const { Panel, buttonProps } = useLazyPanel(() => import("./zone-panel"));
  const button = (
    <Button variant="ghost" aria-label={`Time zone: ${zone}`} icon={Globe} {...buttonProps}>
      <span className="max-sm:hidden">{zone}</span>
    </Button>
  );
  return Panel ? <Panel trigger={button} /> : button;
}

const loadNavPanel = () => import("./person-panel").then(({ NavPanel }) => ({ default: NavPanel }));

export function NavMenu() {
  const { Panel, buttonProps } = useLazyPanel(loadNavPanel);
  const button = (
    <Button variant="ghost" size="icon" className="md:hidden" aria-label="Open menu" {...buttonProps}>
      <MenuIcon size={18} />
    </Button>
  );
  return Panel ? <Panel trigger={button} /> : button;
}
