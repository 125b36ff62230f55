import {
  BookOpen,
  CircleAlert,
  ListChecks,
  type LucideIcon,
  Pause,
  ScrollText,
  TriangleAlert,
  UserCheck,
  UserRound,
} from "lucide-react";
import { NAV_ITEMS } from "../shell/nav-items";

interface Page {
  path: string;
  name: string;
  icon: LucideIcon;
  /** Other names under which the search finds it. */
  aliases: string;
}

const NAV_ALIASES: Readonly<Record<string, string>> = {
  "/batches": "transfers payouts list home",
  "/contracts": "balances access tokens api keys webhooks statements grants issuance",
  "/operations": "status health finalizer self-check run now",
  "/inbox": "inbox notifications channels",
  "/access": "staff people members users roles invite access",
};

export const PAGES: readonly Page[] = [
  ...NAV_ITEMS.map((item) => ({ ...item, aliases: NAV_ALIASES[item.path] ?? "" })),
  { path: "/batches?status=OVERDUE", name: "Overdue batches", icon: TriangleAlert, aliases: "late" },
  { path: "/batches?status=HELD&sort=DUE", name: "Batches on hold", icon: Pause, aliases: "held paused" },
  {
    path: "/batches?status=AWAITING_APPROVAL&sort=DUE",
    name: "Batches awaiting approval",
    icon: UserCheck,
    aliases: "approve reject second person",
  },
  {
    path: "/batches?review=unusual",
    name: "Unusual batches",
    icon: CircleAlert,
    aliases: "review suspicious findings",
  },
  {
    path: "/batches/jobs",
    name: "Bulk jobs",
    icon: ListChecks,
    aliases: "hold release cancel many batches progress",
  },
  { path: "/access/audit", name: "Audit log", icon: ScrollText, aliases: "trail history changes" },
  { path: "/profile", name: "Your profile", icon: UserRound, aliases: "account sessions devices password" },
  { path: "/docs", name: "API reference", icon: BookOpen, aliases: "docs documentation help openapi" },
  { path: "/docs/errors", name: "API errors", icon: BookOpen, aliases: "docs error codes problems" },
];

/** Whether the title or other names contain every word of the text. */
export function isNamed(text: string, title: string, otherNames: string): boolean {
  const names = `${title} ${otherNames}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => names.includes(word));
}
