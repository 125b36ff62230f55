"use client";
import type { ReactElement } from "react";
import { Menu, MenuRadios } from "./menu";
import { THEMES, useTheme } from "./use-theme";

const LABELS = { system: "System", light: "Light", dark: "Dark" } as const;
const OPTIONS = THEMES.map((value) => ({ value, label: LABELS[value] }));

/** For use inside a menu. */
export function ThemeChoices() {
  const [theme, setTheme] = useTheme();
  return <MenuRadios label="Theme" value={theme} onValueChange={setTheme} options={OPTIONS} />;
}

export const ThemePanel = ({ trigger }: { trigger: ReactElement }) => (
  <Menu trigger={trigger} defaultOpen>
    <ThemeChoices />
  </Menu>
);
