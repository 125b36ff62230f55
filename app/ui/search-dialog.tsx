"use client";
import { Dialog } from "@base-ui/react/dialog";
import { Command } from "cmdk";
import { Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef } from "react";

interface SearchDialogProps {
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  /** The value of the highlighted item, which Enter opens. */
  selected: string;
  onSelect: (value: string) => void;
  /** Called first. The list ignores keys whose default was prevented. */
  onKeyDown?: (event: KeyboardEvent) => void;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}

/** Open while it is mounted. */
export function SearchDialog(props: SearchDialogProps) {
  const { placeholder, text, onText, selected, onSelect, onKeyDown, onOpenChange, children } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="overlay-motion fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup
          initialFocus={input}
          className="overlay -translate-x-1/2 fixed top-[12vh] left-1/2 z-50 flex flex-col overflow-hidden
            max-h-[min(480px,76dvh)] w-[640px] max-w-[calc(100vw-24px)]
            max-sm:top-3 max-sm:max-h-[calc(100dvh-24px)]"
        >
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <Command
            label="Search"
            shouldFilter={false}
            vimBindings={false}
            loop
            value={selected}
            onValueChange={onSelect}
            onKeyDown={onKeyDown}
            className="flex min-h-0 flex-col"
          >
            <div className="flex items-center gap-2.5 border-line border-b px-4">
              <Search size={16} className="shrink-0 text-muted" />
              <Command.Input
                ref={input}
                value={text}
                onValueChange={onText}
                placeholder={placeholder}
                className="h-12 min-w-0 flex-1 bg-transparent text-body outline-none max-sm:text-base"
              />
              <Dialog.Close
                aria-label="Close search"
                className="rounded-badge border border-line px-1.5 text-[11px]/5 text-muted hover:bg-hover"
              >
                <span aria-hidden className="max-sm:hidden">
                  Esc
                </span>
                <span aria-hidden className="sm:hidden">
                  Close
                </span>
              </Dialog.Close>
            </div>
            {children}
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface SearchGroupsProps<Entry> {
  groups: readonly { heading: string; items: readonly Entry[] }[];
  children: (entry: Entry) => ReactNode;
}

export function SearchGroups<Entry>({ groups, children }: SearchGroupsProps<Entry>) {
  return (
    <Command.List
      label="Results"
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 empty:hidden"
    >
      {groups.map(
        ({ heading, items }) =>
          items.length > 0 && (
            <Command.Group key={heading} heading={heading} className="py-1.5">
              {items.map(children)}
            </Command.Group>
          ),
      )}
    </Command.List>
  );
}

interface SearchItemProps {
  value: string;
  onSelect: () => void;
  children: ReactNode;
}

export const SearchItem = ({ value, onSelect, children }: SearchItemProps) => (
  <Command.Item
    value={value}
    onSelect={onSelect}
    className="choice min-h-9 cursor-default select-none gap-2.5 py-1
      data-[selected=true]:bg-hover max-sm:min-h-11"
  >
    {children}
  </Command.Item>
);
