"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { SEARCH_CHARS_MAX } from "@/server/search/search-limits";
import { useTRPC } from "../../data/trpc";
import { useCommands } from "./commands";
import { type PaletteEntry, PaletteItem } from "./palette-item";
import { PaletteStatus } from "./palette-status";
import { type PlaceItem, placesOf, requestPlaces } from "./places";
import { keepRecent, recentItems } from "./recent-items";

interface PaletteBodyProps {
  text: string;
  /** Highlights the item that Enter opens. */
  onSelect: (value: string) => void;
  onClose: () => void;
}

/** Enter pressed before the results have arrived opens the first result once it is there. */
export function PaletteBody({ text, onSelect, onClose }: PaletteBodyProps) {
  const router = useRouter();
  const { found, error, isCurrent, retry } = useFind(text);
  const { context, screens, actions } = useCommands(text);
  const entryOf = (item: PlaceItem): PaletteEntry => ({
    ...item,
    key: item.href,
    run: () => {
      keepRecent(item);
      router.push(item.href);
    },
  });
  const places = [...(found ? placesOf(found) : []), ...requestPlaces(text)];
  const groups: { heading: string; items: PaletteEntry[] }[] = [
    { heading: "Recent", items: text.trim() === "" ? recentItems().map(entryOf) : [] },
    ...context,
    ...places.map(({ heading, items }) => ({ heading, items: items.map(entryOf) })),
    { heading: "Pages", items: screens },
    { heading: "Actions", items: actions },
  ];
  const entries = groups.flatMap(({ items }) => items);
  const [first] = entries;
  const open = (entry: PaletteEntry) => {
    onClose();
    entry.run();
  };

  const awaited = useRef<string>(undefined);
  const openAwaited = useEffectEvent(() => {
    onSelect(first?.key ?? "");
    if (!isCurrent || awaited.current !== text) return;
    awaited.current = undefined;
    if (first) open(first);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new text and reply highlights its first item
  useEffect(openAwaited, [text, first?.key, isCurrent]);

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isInput = event.target instanceof Element && event.target.matches("[cmdk-input]");
      if (event.key !== "Enter" || event.isComposing || isCurrent || !isInput) return;
      // The results on screen still belong to the previous text.
      event.preventDefault();
      awaited.current = text;
    };
    addEventListener("keydown", listen, { capture: true });
    return () => removeEventListener("keydown", listen, { capture: true });
  }, [text, isCurrent]);

  return (
    <>
      <Command.List
        label="Results"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 empty:hidden"
      >
        {groups.map(
          ({ heading, items }) =>
            items.length > 0 && (
              <Command.Group
                key={heading}
                heading={heading}
                className="py-1.5 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-label [&_[cmdk-group-heading]]:text-muted"
              >
                {items.map((entry) => (
                  <PaletteItem key={entry.key} entry={entry} onSelect={() => open(entry)} />
                ))}
              </Command.Group>
            ),
        )}
      </Command.List>
      <PaletteStatus
        text={text}
        count={entries.length}
        isCurrent={isCurrent}
        hasWrongChecksum={found?.hasWrongChecksum ?? false}
        error={error}
        onRetry={retry}
      />
    </>
  );
}

const PAUSE_MS = 120;
const CHARS_MIN = 2;

/** Searches when typing pauses. `isCurrent`: the results belong to the current text. */
function useFind(text: string) {
  const trpc = useTRPC();
  const wanted = text.trim().slice(0, SEARCH_CHARS_MAX);
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const enabled = wanted.length >= CHARS_MIN;
  const { data, error, isPlaceholderData, refetch } = useQuery(
    trpc.console.search.find.queryOptions(
      { text: asked },
      { enabled: enabled && asked.length >= CHARS_MIN, placeholderData: keepPreviousData },
    ),
  );
  const isCurrent =
    !enabled || (asked === wanted && !isPlaceholderData && (data !== undefined || error !== null));
  return {
    found: enabled ? data : undefined,
    error: enabled ? error : null,
    isCurrent,
    retry: () => void refetch(),
  };
}
