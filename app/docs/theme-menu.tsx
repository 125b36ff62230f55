"use client";
import { SunMoon } from "lucide-react";
import { useEffect } from "react";
import { buttonLook } from "../ui/button";
import { useLazyPanel } from "../ui/use-lazy-panel";
import { followTheme } from "../ui/use-theme";

const loadPanel = () => import("./theme-panel").then((module) => module.ThemePanel);

/** Shares its setting with the console. */
export function ThemeMenu() {
  const { Panel, buttonProps } = useLazyPanel(loadPanel);
  useEffect(() => followTheme(() => undefined), []);
  const button = (
    <button
      type="button"
      aria-label="Theme"
      className={buttonLook({ variant: "ghost", size: "icon" })}
      {...buttonProps}
    >
      <SunMoon aria-hidden size={16} />
    </button>
  );
  return Panel ? <Panel trigger={button} /> : button;
}
