import { Activity, Bell, FileText, Layers, type LucideIcon, ShieldCheck } from "lucide-react";

interface NavItem {
  path: string;
  name: string;
  icon: LucideIcon;
}

/** The sections of the console, in sidebar order. */
export const NAV_ITEMS: readonly NavItem[] = [
  { path: "/batches", name: "Batches", icon: Layers },
  { path: "/contracts", name: "Contracts", icon: FileText },
  { path: "/operations", name: "Operations", icon: Activity },
  { path: "/inbox", name: "Alerts", icon: Bell },
  { path: "/access", name: "Team", icon: ShieldCheck },
];

export const isWithin = (pathname: string, path: string) =>
  pathname === path || pathname.startsWith(`${path}/`);
