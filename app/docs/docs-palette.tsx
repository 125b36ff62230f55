"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { findParts } from "@/app/docs/find-parts";
import type { FoundPart } from "@/app/docs/search-index";
import { counted } from "@/app/ui/amount";
import type { PaletteProps } from "@/app/ui/search-button";
import { SearchDialog, SearchGroups, SearchItem } from "@/app/ui/search-dialog";

async function loadParts(): Promise<FoundPart[]> {
  const reply = await fetch("/docs/search.json");
  if (!reply.ok) throw new Error(`The search index has status ${reply.status}.`);
  return (await reply.json()) as FoundPart[];
}

export function DocsPalette({ onOpenChange, text, onText }: PaletteProps) {
  const [selected, setSelected] = useState("");
  const { data, isError } = useQuery({
    queryKey: ["docs search"],
    queryFn: loadParts,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const groups = data ? findParts(data, text) : [];
  const items = groups.flatMap((group) => group.items);
  const isCurrent = items.some(({ href, title }) => selected === `${href} ${title}`);
  return (
    <SearchDialog
      placeholder="Search guides, operations, fields and error codes"
      text={text}
      onText={onText}
      selected={isCurrent || !items[0] ? selected : `${items[0].href} ${items[0].title}`}
      onSelect={setSelected}
      onOpenChange={onOpenChange}
    >
      <SearchGroups groups={groups}>
        {({ href, title, place, excerpt, group }) => (
          <SearchItem
            key={`${href} ${title}`}
            value={`${href} ${title}`}
            onSelect={() => {
              onOpenChange(false);
              location.assign(href);
            }}
          >
            <span className="flex min-w-0 flex-1 flex-col py-0.5">
              <span className="flex min-w-0 items-baseline gap-x-3">
                <span className={group === "Errors" ? "truncate mono" : "truncate font-medium"}>{title}</span>
                <span className="min-w-0 truncate hint">{place}</span>
              </span>
              <span className="truncate hint">{excerpt}</span>
            </span>
          </SearchItem>
        )}
      </SearchGroups>
      <div
        role="status"
        className={isError || (text.trim() && items.length === 0) ? "px-4 py-8 text-center" : "sr-only"}
      >
        {isError && "The search could not be loaded. Check your network connection, then reload the page."}
        {!data && !isError && "Loading"}
        {data &&
          text.trim() &&
          (items.length > 0
            ? counted(items.length, "result", "results")
            : `No results for “${text.trim().slice(0, 80)}”`)}
      </div>
    </SearchDialog>
  );
}
