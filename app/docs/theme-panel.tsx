"use client";
import type { ReactElement } from "react";
import { Menu } from "../ui/menu";
import { ThemeChoices } from "../ui/theme-choices";

export function ThemePanel({ trigger }: { trigger: ReactElement }) {
  return (
    <Menu trigger={trigger} defaultOpen>
      <ThemeChoices />
    </Menu>
  );
}
