"use client";
import type { ReactElement } from "react";
import { Menu } from "./menu";
import { ThemeChoices } from "./theme-choices";

export function ThemePanel({ trigger }: { trigger: ReactElement }) {
  return (
    <Menu trigger={trigger} defaultOpen>
      <ThemeChoices />
    </Menu>
  );
}
