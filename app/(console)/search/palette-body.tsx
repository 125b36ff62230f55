"use client";
import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef } from "react";
import { type CommandItem, useCommands } from "./commands";
import { PaletteItem } from "./palette-item";
import { PaletteStatus } from "./palette-status";
import { type PlaceItem, placesOf, requestPlaces } from "./places";
import { keepRecent, recentItems } from "./recent-items";
import { useFind } from "./use-find";

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
  const recent = text.trim() === "" ? recentItems() : [];
  const places = [...(found ? placesOf(found) : []), ...requestPlaces(text)];
  const awaited = useRef<string>(undefined);

  const go = (item: PlaceItem) => {
    keepRecent(item);
    onClose();
    router.push(item.href);
  };
  const run = (item: CommandItem) => {
    onClose();
    item.run();
  };

  const [firstRecent] = recent;
  const firstPlace = places[0]?.items[0];
  const firstAction = context.flatMap(({ items }) => items)[0];
  const first =
    firstRecent?.href ?? firstAction?.key ?? firstPlace?.href ?? screens[0]?.key ?? actions[0]?.key ?? "";
  const openAwaited = useEffectEvent(() => {
    onSelect(first);
    if (!isCurrent || awaited.current !== text) return;
    awaited.current = undefined;
    const command = screens[0] ?? actions[0];
    if (firstRecent) go(firstRecent);
    else if (firstAction) run(firstAction);
    else if (firstPlace) go(firstPlace);
    else if (command) run(command);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new text and reply highlights its first item
  useEffect(openAwaited, [text, first, isCurrent]);

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

  const commands = [
    { heading: "Pages", items: screens },
    { heading: "Actions", items: actions },
  ];
  const count = [{ items: recent }, ...context, ...places, ...commands].reduce(
    (sum, { items }) => sum + items.length,
    0,
  );
  return (
    <>
      <Command.List
        label="Results"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 empty:hidden"
      >
        <Places groups={[{ heading: "Recent", items: recent }]} go={go} />
        <Commands groups={context} run={run} />
        <Places groups={places} go={go} />
        <Commands groups={commands} run={run} />
      </Command.List>
      <PaletteStatus
        text={text}
        count={count}
        isCurrent={isCurrent}
        hasWrongChecksum={found?.hasWrongChecksum ?? false}
        error={error}
        onRetry={retry}
      />
    </>
  );
}

interface PlacesProps {
  groups: readonly { heading: string; items: readonly PlaceItem[] }[];
  go: (item: PlaceItem) => void;
}

function Places({ groups, go }: PlacesProps) {
  return groups.map(
    ({ heading, items }) =>
      items.length > 0 && (
        <Group key={heading} heading={heading}>
          {items.map((item) => (
            <PaletteItem key={item.href} value={item.href} onSelect={() => go(item)} {...item} />
          ))}
        </Group>
      ),
  );
}

interface CommandsProps {
  groups: readonly { heading: string; items: readonly CommandItem[] }[];
  run: (item: CommandItem) => void;
}

function Commands({ groups, run }: CommandsProps) {
  return groups.map(
    ({ heading, items }) =>
      items.length > 0 && (
        <Group key={heading} heading={heading}>
          {items.map((item) => (
            <PaletteItem
              key={item.key}
              value={item.key}
              title={item.title}
              icon={item.icon}
              onSelect={() => run(item)}
            />
          ))}
        </Group>
      ),
  );
}

function Group({ heading, children }: { heading: string; children: React.ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="py-1.5 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-label [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}
