"use client";

import {
  BookOpen,
  Keyboard,
  ListChecks,
  ListFilter,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Plus,
  ScrollText,
  Sun,
  UserRound,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { auditQuery } from "@/app/(console)/access/audit/audit-params";
import { builtInViews, queryOf, viewPath } from "@/app/(console)/batches/list-params";
import { batchPath } from "@/app/(console)/batches/paths";
import { STATUS_LOOKS } from "@/app/(console)/batches/status";
import { contractPath, recipientPath } from "@/app/(console)/contracts/paths";
import type { PlaceItem } from "@/app/(console)/search/recent";
import { showKeys } from "@/app/(console)/shell/keyboard-help";
import { NAV_ITEMS } from "@/app/(console)/shell/sidebar";
import { endSession } from "@/app/(console)/shell/sign-out";
import { useStaff } from "@/app/(console)/staff";
import { THEMES, type Theme, useTheme } from "@/app/ui/use-theme";
import { UUID_PATTERN } from "@/server/kernel/values/batch-terms";
import type { Found, FoundBatch } from "@/server/search/schema";

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

/** Commands that contain every word of the text. */
export function useCommands(text: string) {
  const router = useRouter();
  const { role, email } = useStaff();
  const [theme, setTheme] = useTheme();
  const views = builtInViews(email).map(({ name, title, params }) => ({
    path: viewPath(queryOf(params)),
    name: `Batches: ${name.toLowerCase()}`,
    icon: ListFilter,
    aliases: title,
  }));
  const screens: CommandItem[] = [...PAGES, ...views.slice(1)].map(({ path, name, aliases, icon }) => ({
    key: path,
    title: name,
    keywords: `go to page ${aliases}`,
    icon,
    // The API reference is outside the console.
    run: () => (path.startsWith("/docs") ? location.assign(path) : router.push(path)),
  }));
  const newBatch: CommandItem = {
    key: "new",
    title: "New batch",
    keywords: "submit create transfers csv",
    icon: Plus,
    run: () => router.push("/batches/new"),
  };
  const actions: CommandItem[] = [
    ...(role === "viewer" ? [] : [newBatch]),
    ...THEMES.filter((choice) => choice !== theme).map((choice) => ({
      key: `theme-${choice}`,
      ...THEME_LOOKS[choice],
      keywords: "appearance color mode",
      run: () => setTheme(choice),
    })),
    { key: "keys", title: "Keyboard shortcuts", keywords: "keys help", icon: Keyboard, run: showKeys },
    {
      key: "leave",
      title: "Sign out",
      keywords: "log out leave",
      icon: LogOut,
      run: () => void endSession(),
    },
  ];
  const groups = [
    { heading: "Pages", items: screens },
    { heading: "Actions", items: actions },
  ];
  return groups.map(({ heading, items }) => ({
    heading,
    items: items.filter(({ title, keywords }) => isNamed(text, `${title} ${keywords}`)),
  }));
}

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

const PAGES: readonly Page[] = [
  ...NAV_ITEMS.map((item) => ({ ...item, aliases: NAV_ALIASES[item.path] ?? "" })),
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

/** Whether the names contain every word of the text. */
function isNamed(text: string, names: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => names.toLowerCase().includes(word));
}

export interface PlaceGroup {
  heading: string;
  items: readonly PlaceItem[];
}

/** An address may be a contract and a recipient; the contract comes first. */
export function placesOf({
  contracts,
  recipients,
  unknownAddress,
  batches,
  moreBatches,
}: Found): PlaceGroup[] {
  const recipient = (title: string, detail: string): PlaceItem => ({
    kind: "recipient",
    href: recipientPath(title),
    title,
    detail,
  });
  return [
    {
      heading: "Contracts",
      items: contracts.map(({ address, label }) => ({
        kind: "contract",
        href: contractPath(address),
        title: label,
        detail: address,
      })),
    },
    {
      heading: "Recipients",
      items: [
        ...recipients.map(({ address, label }) => recipient(address, label ?? "")),
        ...(unknownAddress ? [recipient(unknownAddress, "no transfers yet")] : []),
      ],
    },
    { heading: "Batches", items: [...batches.map(batchPlace), ...listPlace(moreBatches)] },
  ];
}

const batchPlace = ({ id, contractAddress, contractLabel, status, isReversal }: FoundBatch): PlaceItem => ({
  kind: "batch",
  href: batchPath({ contractAddress, id }),
  title: id,
  detail: `${contractLabel} · ${STATUS_LOOKS[status].label}${isReversal ? " · Reversal" : ""}`,
});

function listPlace(prefix: string | null): PlaceItem[] {
  if (!prefix) return [];
  const href = `/batches?id=${encodeURIComponent(prefix)}`;
  return [{ kind: "screen", href, title: `View all batches that start with ${prefix}`, detail: "" }];
}

/** A request ID that the service made is a UUID. */
export function requestPlaces(text: string): PlaceGroup[] {
  const requestId = text.trim().toLowerCase();
  if (!UUID_PATTERN.test(requestId)) return [];
  const href = auditQuery("/access/audit", { request: requestId });
  const title = `View what request ${requestId} changed`;
  return [{ heading: "Audit log", items: [{ kind: "screen", href, title, detail: "" }] }];
}
