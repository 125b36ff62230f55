"use client";
import { useSyncExternalStore } from "react";
import { THEME_KEY } from "./theme-script";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const CHANGED = "theme-changed";

function readTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function paintTheme(): void {
  const theme = readTheme();
  const systemIsDark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme =
    theme === "dark" || (theme === "system" && systemIsDark) ? "dark" : "light";
}

/** Repaints when the system, another tab or the user changes the theme. */
export function followTheme(onChange: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const repaint = () => {
    paintTheme();
    onChange();
  };
  system.addEventListener("change", repaint);
  addEventListener("storage", repaint);
  addEventListener(CHANGED, repaint);
  return () => {
    system.removeEventListener("change", repaint);
    removeEventListener("storage", repaint);
    removeEventListener(CHANGED, repaint);
  };
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore<Theme>(followTheme, readTheme, () => "system");
  return [theme, setTheme];
}

function setTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(THEME_KEY);
  else localStorage.setItem(THEME_KEY, theme);
  dispatchEvent(new Event(CHANGED));
}
