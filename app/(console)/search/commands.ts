"use client";
import {
  BookOpen,
  Keyboard,
  ListChecks,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Plus,
  Sun,
  UserRound,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { THEMES, type Theme, useTheme } from "../../ui/use-theme";
import { showKeys } from "../shell/keyboard-help";
import { ROOMS } from "../shell/rooms";
import { endSession } from "../shell/sign-out";
import { useStaff } from "../staff";

export interface CommandItem {
  key: string;
  title: string;
  /** Further search terms. */
  keywords: string;
  icon: LucideIcon;
  run: () => void;
}

const THEME_LOOKS = {
  system: { title: "Theme: system", icon: Monitor },
  light: { title: "Theme: light", icon: Sun },
  dark: { title: "Theme: dark", icon: Moon },
} as const satisfies Record<Theme, { title: string; icon: LucideIcon }>;

/** Matches commands that contain every word of the text. */
export function useCommands(text: string): { screens: CommandItem[]; actions: CommandItem[] } {
  const router = useRouter();
  const { role } = useStaff();
  const [theme, setTheme] = useTheme();
  const screens = [
    ...ROOMS.map(({ path, name, icon }) => ({
      key: path,
      title: name,
      keywords: "go to page",
      icon,
      run: () => router.push(path),
    })),
    {
      key: "/batches/jobs",
      title: "Bulk jobs",
      keywords: "go to hold release cancel many batches progress",
      icon: ListChecks,
      run: () => router.push("/batches/jobs"),
    },
    {
      key: "/profile",
      title: "Your profile",
      keywords: "go to account sessions devices",
      icon: UserRound,
      run: () => router.push("/profile"),
    },
    {
      key: "/docs",
      title: "API reference",
      keywords: "go to docs documentation help",
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
            keywords: "submit create transfers csv",
            icon: Plus,
            run: () => router.push("/batches/new"),
          },
        ]),
    ...THEMES.filter((choice) => choice !== theme).map((choice) => ({
      key: `theme-${choice}`,
      ...THEME_LOOKS[choice],
      keywords: "appearance color mode",
      run: () => setTheme(choice),
    })),
    {
      key: "keys",
      title: "Keyboard shortcuts",
      keywords: "keys help",
      icon: Keyboard,
      run: showKeys,
    },
    {
      key: "leave",
      title: "Sign out",
      keywords: "log out leave",
      icon: LogOut,
      run: () => void endSession(),
    },
  ];
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ title, keywords }: CommandItem) =>
    wanted.every((word) => `${title} ${keywords}`.toLowerCase().includes(word));
  return { screens: screens.filter(matches), actions: actions.filter(matches) };
}
