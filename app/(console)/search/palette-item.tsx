"use client";
import { Command } from "cmdk";
import { FileText, Layers, type LucideIcon, Wallet } from "lucide-react";
import { classNames } from "../../ui/class-names";
import type { PlaceItem } from "./places";

const ICONS = {
  batch: Layers,
  contract: FileText,
  recipient: Wallet,
  screen: Layers,
} as const satisfies Record<PlaceItem["kind"], LucideIcon>;
/** Monospaced: these titles are compared character by character. */
const EXACT = new Set<PlaceItem["kind"]>(["batch", "recipient"]);

/** A place has a kind, a command an icon. */
export interface PaletteEntry {
  key: string;
  title: string;
  detail?: string;
  kind?: PlaceItem["kind"];
  icon?: LucideIcon;
  run: () => void;
}

export function PaletteItem({ entry, onSelect }: { entry: PaletteEntry; onSelect: () => void }) {
  const { key, title, detail, kind, icon } = entry;
  const Icon = icon ?? ICONS[kind ?? "screen"];
  return (
    <Command.Item
      value={key}
      onSelect={onSelect}
      className="flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-control px-2 py-1 text-table data-[selected=true]:bg-hover max-sm:min-h-11"
    >
      <Icon aria-hidden size={15} className="shrink-0 text-muted" />
      <span className="flex min-w-0 flex-1 items-baseline gap-x-3 max-sm:flex-col">
        <span
          className={classNames(
            "max-w-full shrink-0 truncate",
            kind && EXACT.has(kind) ? "font-mono text-mono" : "font-medium",
          )}
        >
          {title}
        </span>
        {detail && (
          <span
            className={classNames(
              "min-w-0 max-w-full truncate text-label text-muted",
              kind === "contract" && "font-mono",
            )}
          >
            {detail}
          </span>
        )}
      </span>
    </Command.Item>
  );
}
