"use client";
import { Fragment, type ReactNode } from "react";
import { Button } from "@/app/ui/button";
import { Dialog } from "@/app/ui/dialogs";
import { Key } from "@/app/ui/key";
import { ScrollRegion } from "@/app/ui/scroll-region";
import { hasSingleKeys, setSingleKeys } from "../../ui/shortcut";

interface Sign {
  sign: string;
  name: string;
}

const key = (sign: string, name = sign): Sign => ({ sign, name });

const CONTROL = /Mac|iP/.test(navigator.platform) ? key("⌘", "Command") : key("Ctrl", "Control");
const [SLASH, QUESTION_MARK] = [key("/", "Slash"), key("?", "Question mark")];
const [DOWN, UP] = [key("↓", "Arrow down"), key("↑", "Arrow up")];
const [ENTER, ESCAPE, SPACE, SHIFT] = [key("Enter"), key("Esc", "Escape"), key("Space"), key("Shift")];
const [E, J, K, O, X] = [key("E"), key("J"), key("K"), key("O"), key("X")];

type Keys = readonly Sign[];

interface Group {
  name: string;
  /** Each way is a set of keys that are pressed together. */
  rows: readonly { does: string; ways: readonly Keys[] }[];
}

const GROUPS: readonly Group[] = [
  {
    name: "Anywhere",
    rows: [
      { does: "Search, or go to a page", ways: [[SLASH], [CONTROL, K]] },
      { does: "Show keyboard shortcuts", ways: [[QUESTION_MARK]] },
      { does: "Submit the form you are in", ways: [[CONTROL, ENTER]] },
      { does: "Close the open panel or dialog", ways: [[ESCAPE]] },
    ],
  },
  {
    name: "Batch list",
    rows: [
      { does: "Next or previous batch", ways: [[J], [K]] },
      { does: "Next or previous batch, from a focused row", ways: [[DOWN], [UP]] },
      { does: "Select or deselect", ways: [[X], [SPACE]] },
      {
        does: "Select a range",
        ways: [
          [SHIFT, SPACE],
          [SHIFT, DOWN],
        ],
      },
      { does: "Open in side panel", ways: [[O], [ENTER]] },
      { does: "Open in new tab", ways: [[CONTROL, ENTER]] },
      { does: "Export the list as CSV", ways: [[E]] },
    ],
  },
  {
    name: "Side panel",
    rows: [{ does: "Next or previous batch", ways: [[J], [K]] }],
  },
  {
    name: "Search",
    rows: [
      { does: "Next or previous result", ways: [[DOWN], [UP]] },
      { does: "Open result", ways: [[ENTER]] },
    ],
  },
];

interface KeyboardDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function KeyboardDialog({ open, onOpenChange }: KeyboardDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="Single keys work outside text fields."
    >
      <ScrollRegion aria-label="Shortcuts" className="mt-4 flex max-h-[60dvh] flex-col gap-4 overflow-y-auto">
        {GROUPS.map(({ name, rows }) => (
          <section key={name} aria-label={name} className="flex flex-col">
            <h3 className="pb-1 font-medium text-label text-muted">{name}</h3>
            <dl className="flex flex-col">
              {rows.map(({ does, ways }) => (
                <div
                  key={does}
                  className="flex min-h-9 items-center justify-between gap-4 border-line border-t py-1"
                >
                  <dt className="text-table">{does}</dt>
                  <dd className="flex shrink-0 items-center gap-1.5">
                    <Ways ways={ways} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </ScrollRegion>
      <div className="mt-4 flex items-center justify-between gap-3">
        <label className="flex min-h-6 items-center gap-2 text-table">
          <input
            type="checkbox"
            defaultChecked={hasSingleKeys()}
            onChange={(event) => setSingleKeys(event.target.checked)}
            className="size-4 accent-accent"
          />
          Use single keys, such as / and J
        </label>
        <Button onClick={() => onOpenChange(false)}>Close</Button>
      </div>
    </Dialog>
  );
}

function Ways({ ways }: { ways: readonly Keys[] }): ReactNode {
  return ways.map((keys, index) => (
    <Fragment key={keys.map(({ sign }) => sign).join()}>
      {index > 0 && <span className="text-label text-muted">or</span>}
      <span className="flex items-center gap-1">
        {keys.map(({ sign, name }) => (
          <Key key={sign} sign={sign} name={name} />
        ))}
      </span>
    </Fragment>
  ));
}
