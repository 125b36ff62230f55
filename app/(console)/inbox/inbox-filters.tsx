"use client";
import { ALERT_KINDS } from "@/server/alerts/schema";
import { Button } from "../../ui/button";
import { CheckFilter } from "../check-filter";
import { SwitchLinks } from "../operations/switch-links";
import { type InboxParams, inboxQuery } from "./inbox-params";
import { KIND_NAMES } from "./kind-names";

const KINDS = ALERT_KINDS.map((value) => ({ value, name: KIND_NAMES[value] }));

interface InboxFiltersProps {
  params: InboxParams;
  setParams: (next: { kind?: InboxParams["kind"]; unseen?: true | null }) => unknown;
  filtered: boolean;
  clear: () => void;
}

export function InboxFilters({ params, setParams, filtered, clear }: InboxFiltersProps) {
  const { state, kind, unseen } = params;
  const link = (value: InboxParams["state"], label: string) => ({
    value,
    label,
    href: inboxQuery("/inbox", { ...params, state: value }),
  });
  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-1.5 [&>nav]:ml-0">
      <SwitchLinks
        name="State"
        chosen={state}
        links={[link("open", "Open"), link("ended", "Ended"), link("all", "All")]}
      />
      <CheckFilter
        name="Kind"
        many="kinds"
        options={KINDS}
        chosen={kind}
        onChange={(next) => void setParams({ kind: next })}
        className="flex w-56 flex-col"
      />
      <label className="flex h-[30px] cursor-pointer items-center gap-1.5 rounded-control border border-line bg-surface px-2 font-medium text-label text-muted hover:bg-hover has-checked:border-accent has-checked:bg-selected has-checked:text-text">
        <input
          type="checkbox"
          checked={unseen ?? false}
          onChange={(event) => void setParams({ unseen: event.target.checked ? true : null })}
          className="accent-accent"
        />
        Not seen by me
      </label>
      {filtered && (
        <Button variant="ghost" size="small" onClick={clear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
