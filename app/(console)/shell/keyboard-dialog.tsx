import { Fragment } from "react";
import { Button } from "@/app/ui/button";
import { Dialog } from "@/app/ui/dialogs";
import { CheckBox } from "@/app/ui/fields";
import { hasSingleKeys, setSingleKeys } from "@/app/ui/hooks";
import { ScrollRegion } from "@/app/ui/scroll-region";

const CONTROL = /Mac|iP/.test(navigator.platform) ? "⌘" : "Ctrl";

/** For screen readers, where a key's sign does not say its name. */
const NAMES: Record<string, string> = {
  "⌘": "Command",
  Ctrl: "Control",
  "/": "Slash",
  "?": "Question mark",
  "↓": "Arrow down",
  "↑": "Arrow up",
  "→": "Arrow right",
  "←": "Arrow left",
  Esc: "Escape",
};

/** What the keys of each place do. Keys of one way are pressed together. */
const GROUPS: Record<string, readonly (readonly [does: string, ...ways: string[]])[]> = {
  Anywhere: [
    ["Search, or go to a page", "/", `${CONTROL} K`],
    ["Show keyboard shortcuts", "?"],
    ["Submit the form you are in", `${CONTROL} Enter`],
    ["Close the open panel or dialog", "Esc"],
  ],
  "Batch list": [
    ["Next or previous batch", "J", "K"],
    ["Next or previous batch, from a focused row", "↓", "↑"],
    ["Show or hide the batches of a payout", "→", "←"],
    ["Select or deselect", "X"],
    ["Select a range", "Shift X"],
    ["Open in side panel", "Enter"],
    ["Open in new tab", `${CONTROL} Enter`],
  ],
  Alerts: [
    ["Next or previous card", "J", "K"],
    ["Hold, approve, cancel or release its batches", "H", "A", "C", "R"],
    ["Mark as seen", "S"],
  ],
  "Side panel": [["Next or previous batch", "J", "K"]],
  Search: [
    ["Next or previous result", "↓", "↑"],
    ["Open result", "Enter"],
  ],
};

export default function KeyboardDialog({ close }: { close: () => void }) {
  return (
    <Dialog close={close} title="Keyboard shortcuts" description="Single keys work outside text fields.">
      <ScrollRegion aria-label="Shortcuts" className="mt-4 flex max-h-[60dvh] flex-col gap-4 overflow-y-auto">
        {Object.entries(GROUPS).map(([name, rows]) => (
          <section key={name} aria-label={name} className="flex flex-col">
            <h3 className="pb-1 font-medium hint">{name}</h3>
            <dl className="flex flex-col">
              {rows.map(([does, ...ways]) => (
                <div
                  key={does}
                  className="flex min-h-9 items-center justify-between gap-4 border-line border-t py-1"
                >
                  <dt className="text-table">{does}</dt>
                  <dd className="flex shrink-0 items-center gap-1.5">
                    {ways.map((way, index) => (
                      <Fragment key={way}>
                        {index > 0 && <span className="hint">or</span>}
                        {way.split(" ").map((sign) => (
                          <kbd
                            key={sign}
                            className="key inline-grid h-5 min-w-5 place-items-center bg-surface"
                          >
                            <span aria-hidden>{sign}</span>
                            <span className="sr-only">{NAMES[sign] ?? sign}</span>
                          </kbd>
                        ))}
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </ScrollRegion>
      <div className="mt-4 flex items-center justify-between gap-3">
        <CheckBox defaultChecked={hasSingleKeys()} onChange={(event) => setSingleKeys(event.target.checked)}>
          Use single keys, such as / and J
        </CheckBox>
        <Button onClick={close}>Close</Button>
      </div>
    </Dialog>
  );
}
