"use client";
import { SunMoon } from "lucide-react";
import { useEffect } from "react";
import { Button } from "./button";
import { useLazyPanel } from "./hooks";
import { followTheme } from "./use-theme";

const loadPanel = () => import("@/app/ui/menu").then((module) => module.ThemePanel);

/** Shares its setting with the console. */
export function ThemeMenu() {
  const { Panel, buttonProps } = useLazyPanel(loadPanel);
  useEffect(() => followTheme(() => undefined), []);
  const button = (
    <Button variant="ghost" size="icon" aria-label="Theme" {...buttonProps}>
      <SunMoon aria-hidden size={16} />
    </Button>
  );
  return Panel ? <Panel trigger={button} /> : button;
}
