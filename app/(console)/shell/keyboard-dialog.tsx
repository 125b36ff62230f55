"use client";
import { Fragment, type ReactNode } from "react";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Key } from "../../ui/key";

const CONTROL = /Mac|iP/.test(navigator.platform)
  ? { sign: "⌘", words: "Command" }
  : { sign: "Ctrl", words: "Control" };
const SLASH = { sign: "/", words: "Slash" };
const QUESTION_MARK = { sign: "?", words: "Question mark" };
const DOWN = { sign: "↓", words: "Arrow down" };
const UP = { sign: "↑", words: "Arrow up" };
const ENTER = { sign: "Enter", words: "Enter" };
const ESCAPE = { sign: "Esc", words: "Escape" };
const K = { sign: "K", words: "K" };

type Keys = readonly (typeof SLASH)[];

interface Group {
  name: string;
  note?: string;
  /** What is done, and each way to do it: keys pressed together. */
  rows: readonly { does: string; ways: readonly Keys[] }[];
}

const GROUPS: readonly Group[] = [
  {
    name: "Everywhere",
    rows: [
      { does: "Search, or go to a screen", ways: [[SLASH], [CONTROL, K]] },
      { does: "Show these keys", ways: [[QUESTION_MARK]] },
      { does: "Close what is open", ways: [[ESCAPE]] },
    ],
  },
  {
    name: "In the list of batches",
    note: "Tab leads to its first batch.",
    rows: [
      { does: "Next batch, batch before", ways: [[DOWN], [UP]] },
      { does: "Open it beside the list", ways: [[ENTER]] },
      { does: "Open it in a tab of its own", ways: [[CONTROL, ENTER]] },
    ],
  },
  {
    name: "In the search",
    rows: [
      { does: "Next result, result before", ways: [[DOWN], [UP]] },
      { does: "Go there", ways: [[ENTER]] },
    ],
  },
];

/** Every key that does something in the console. */
export function KeyboardDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard"
      description="/ and ? work while nothing is being typed."
    >
      <div className="mt-4 flex max-h-[60dvh] flex-col gap-4 overflow-y-auto">
        {GROUPS.map(({ name, note, rows }) => (
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
            {note && <p className="border-line border-t pt-1.5 text-label text-muted">{note}</p>}
          </section>
        ))}
      </div>
      <div className="mt-4 flex justify-end">
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
        {keys.map(({ sign, words }) => (
          <Key key={sign} sign={sign} words={words} />
        ))}
      </span>
    </Fragment>
  ));
}
