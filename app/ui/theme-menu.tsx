"use client";
import { SunMoon } from "lucide-react";
import { useEffect } from "react";
import { buttonLook } from "./button";
import { useLazyPanel } from "./use-lazy-panel";
import { followTheme } from "./use-theme";

const loadPanel = () => import("./theme-panel").then((module) => module.ThemePanel);

/** The setting is that of the console, too. */
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
