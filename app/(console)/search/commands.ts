"use client";
import { BookOpen, Keyboard, LogOut, type LucideIcon, Monitor, Moon, Plus, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { THEMES, type Theme, useTheme } from "../../ui/use-theme";
import { showKeys } from "../shell/keyboard-help";
import { ROOMS } from "../shell/rooms";
import { leave } from "../shell/sign-out";
import { useStaff } from "../staff";

export interface CommandItem {
  key: string;
  title: string;
  /** Other words for it. */
  words: string;
  icon: LucideIcon;
  run: () => void;
}

const THEME_LOOKS = {
  system: { title: "Theme: as the system", icon: Monitor },
  light: { title: "Theme: light", icon: Sun },
  dark: { title: "Theme: dark", icon: Moon },
} as const satisfies Record<Theme, { title: string; icon: LucideIcon }>;

/** Screens and actions whose name has every word of a text. */
export function useCommands(text: string): { screens: CommandItem[]; actions: CommandItem[] } {
  const router = useRouter();
  const { role } = useStaff();
  const [theme, setTheme] = useTheme();
  const screens = [
    ...ROOMS.map(({ path, name, icon }) => ({
      key: path,
      title: name,
      words: "go to screen",
      icon,
      run: () => router.push(path),
    })),
    {
      key: "/docs",
      title: "API reference",
      words: "go to docs documentation help",
      icon: BookOpen,
      run: () => location.assign("/docs"),
    },
  ];
  const actions = [
    ...(role === "viewer"
      ? []
      : [
          {
            key: "new",
            title: "New batch",
            words: "submit create transfers csv",
            icon: Plus,
            run: () => router.push("/batches/new"),
          },
        ]),
    ...THEMES.filter((choice) => choice !== theme).map((choice) => ({
      key: `theme-${choice}`,
      ...THEME_LOOKS[choice],
      words: "appearance colour mode",
      run: () => setTheme(choice),
    })),
    {
      key: "keys",
      title: "Keyboard",
      words: "keys shortcuts help",
      icon: Keyboard,
      run: showKeys,
    },
    { key: "leave", title: "Sign out", words: "log out leave", icon: LogOut, run: () => void leave() },
  ];
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ title, words }: CommandItem) =>
    wanted.every((word) => `${title} ${words}`.toLowerCase().includes(word));
  return { screens: screens.filter(fits), actions: actions.filter(fits) };
}
