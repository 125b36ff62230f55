"use client";

import {
  Ban,
  BookOpen,
  CircleAlert,
  Copy,
  Keyboard,
  KeyRound,
  Link2,
  ListChecks,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Pause,
  Play,
  Plus,
  ReceiptText,
  ScrollText,
  Sun,
  Terminal,
  TriangleAlert,
  UserCheck,
  UserRound,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { auditQuery } from "@/app/(console)/access/audit/audit-params";
import { STATUS_LOOKS } from "@/app/(console)/batches/status";
import { type PageActionName, type PlaceItem, pageActions } from "@/app/(console)/search/page-actions";
import { showKeys } from "@/app/(console)/shell/keyboard-help";
import { NAV_ITEMS } from "@/app/(console)/shell/sidebar";
import { endSession } from "@/app/(console)/shell/sign-out";
import { useStaff } from "@/app/(console)/staff";
import { afterOverlay } from "@/app/ui/shortcut";
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

interface PageActionLook {
  of: "This batch" | "This contract";
  title: string;
  keywords: string;
  icon: LucideIcon;
}

const PAGE_ACTIONS: Record<PageActionName, PageActionLook> = {
  hold: { of: "This batch", title: "Put on hold…", keywords: "hold pause stop", icon: Pause },
  release: { of: "This batch", title: "Release…", keywords: "resume continue hold", icon: Play },
  cancel: { of: "This batch", title: "Cancel batch…", keywords: "stop", icon: Ban },
  "copy-batch-id": { of: "This batch", title: "Copy batch ID", keywords: "", icon: Copy },
  "copy-link": { of: "This batch", title: "Copy link", keywords: "url share batch", icon: Link2 },
  "copy-curl": { of: "This batch", title: "Copy as cURL", keywords: "request command batch", icon: Terminal },
  "copy-address": { of: "This contract", title: "Copy address", keywords: "contract", icon: Copy },
  "new-batch-here": {
    of: "This contract",
    title: "New batch for this contract",
    keywords: "submit create transfers csv",
    icon: Plus,
  },
  "create-token": {
    of: "This contract",
    title: "Create token…",
    keywords: "access api key new",
    icon: KeyRound,
  },
  statements: { of: "This contract", title: "Statements", keywords: "month report", icon: ReceiptText },
};

/** The actions of the open batch and contract. */
function contextGroups(text: string): { heading: string; items: CommandItem[] }[] {
  const offered = pageActions();
  const names = (Object.keys(PAGE_ACTIONS) as PageActionName[]).filter((name) => offered[name]);
  return (["This batch", "This contract"] as const).map((heading) => ({
    heading,
    items: names
      .filter((name) => PAGE_ACTIONS[name].of === heading)
      .filter((name) => isNamed(text, PAGE_ACTIONS[name].title, PAGE_ACTIONS[name].keywords))
      .map((name) => ({
        key: name,
        ...PAGE_ACTIONS[name],
        // Looked up again: the batch may have changed since the search opened.
        run: () => afterOverlay(() => pageActions()[name]?.()),
      })),
  }));
}

/** Commands that contain every word of the text. */
export function useCommands(text: string) {
  const router = useRouter();
  const { role } = useStaff();
  const [theme, setTheme] = useTheme();
  const screens: CommandItem[] = PAGES.map(({ path, name, aliases, icon }) => ({
    key: path,
    title: name,
    keywords: `go to page ${aliases}`,
    icon,
    // The API reference is outside the console.
    run: () => (path.startsWith("/docs") ? location.assign(path) : router.push(path)),
  }));
  const actions: CommandItem[] = [
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
  const matches = ({ title, keywords }: CommandItem) => isNamed(text, title, keywords);
  return {
    context: contextGroups(text),
    screens: screens.filter(matches),
    actions: actions.filter(matches),
  };
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

export interface PlaceGroup {
  heading: string;
  items: readonly PlaceItem[];
}

/** An address may be a contract and a recipient; the contract comes first. */
export function placesOf(found: Found): PlaceGroup[] {
  const unknown = found.unknownAddress ? [{ address: found.unknownAddress, label: null }] : [];
  return [
    {
      heading: "Contracts",
      items: found.contracts.map(({ address, label }) => ({
        kind: "contract" as const,
        href: `/contracts/${address}`,
        title: label,
        detail: address,
      })),
    },
    {
      heading: "Recipients",
      items: [...found.recipients, ...unknown].map(({ address, label }) => ({
        kind: "recipient" as const,
        href: `/recipients/${address}`,
        title: address,
        detail: label ?? (address === found.unknownAddress ? "no transfers yet" : ""),
      })),
    },
    {
      heading: "Batches",
      items: [...found.batches.map(batchPlace), ...listPlace(found.moreBatches)],
    },
  ].filter(({ items }) => items.length > 0);
}

const batchPlace = ({ id, contractAddress, contractLabel, status, isReversal }: FoundBatch): PlaceItem => ({
  kind: "batch",
  href: `/batches/${contractAddress}/${encodeURIComponent(id)}`,
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
