"use client";
import { useEffect } from "react";
import { Button } from "../../ui/button";
import { useLazyPanel } from "../../ui/use-lazy-panel";
import { followTheme } from "../../ui/use-theme";

const loadPanel = () => import("./person-panel").then((module) => module.PersonPanel);

export function PersonMenu({ email, role }: { email: string; role: string }) {
  const { Panel, buttonProps } = useLazyPanel(loadPanel);
  useEffect(() => followTheme(() => undefined), []);
  const button = (
    <Button variant="ghost" size="icon" aria-label={`${email}, ${role}`} {...buttonProps}>
      <span
        aria-hidden
        className="flex size-6 items-center justify-center rounded-full border border-line bg-selected font-semibold text-accent text-label uppercase"
      >
        {email.slice(0, 1)}
      </span>
    </Button>
  );
  return Panel ? <Panel trigger={button} email={email} role={role} /> : button;
}
