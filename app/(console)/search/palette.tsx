import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { TriangleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { mayLeave } from "@/app/(console)/batches/new/use-leave-warning";
import { type Entry, groupsOf } from "@/app/(console)/search/commands";
import { useStaff } from "@/app/(console)/staff";
import { problemOf } from "@/app/data/problem";
import { useTRPC } from "@/app/data/trpc";
import { counted } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import type { PaletteProps } from "@/app/ui/search-button";
import { SearchDialog, SearchGroups, SearchItem } from "@/app/ui/search-dialog";
import { SEARCH_CHARS_MAX } from "@/terms/batch-terms";

/** Open while it is mounted. Enter pressed before the results have arrived opens the first one. */
export function Palette({ onOpenChange, text, onText }: PaletteProps) {
  const router = useRouter();
  const { found, error, isCurrent, retry } = useFind(text);
  const groups = groupsOf(text, useStaff(), found);
  const entries = groups.flatMap(({ items }) => items);
  const [first] = entries;
  const firstKey = first && keyOf(first);
  const open = ({ does }: Entry) => {
    if (typeof does === "string" && !mayLeave()) return;
    onOpenChange(false);
    if (typeof does === "string") router.push(does);
    else does();
  };

  const isEmpty = isCurrent && !first;
  const [selected, setSelected] = useState("");
  const awaited = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each text and reply highlights its first item
  useEffect(() => {
    setSelected(firstKey ?? "");
    if (!isCurrent || awaited.current !== text) return;
    awaited.current = undefined;
    if (first) open(first);
  }, [text, firstKey, isCurrent]);

  const onKeyDown = (event: KeyboardEvent) => {
    const isInput = event.target instanceof Element && event.target.matches("[cmdk-input]");
    if (event.key !== "Enter" || event.nativeEvent.isComposing || isCurrent || !isInput) return;
    // The results on screen still belong to the previous text.
    event.preventDefault();
    awaited.current = text;
  };

  return (
    <SearchDialog
      placeholder="Search batches, contracts, addresses and actions"
      text={text}
      onText={onText}
      selected={selected}
      onSelect={setSelected}
      onKeyDown={onKeyDown}
      onOpenChange={onOpenChange}
    >
      <SearchGroups groups={groups}>
        {(entry) => <PaletteItem key={keyOf(entry)} entry={entry} onSelect={() => open(entry)} />}
      </SearchGroups>
      {error !== null && <FindError error={error} retry={retry} />}
      {error === null && found?.hasWrongChecksum && <ChecksumWarning />}
      {error === null && (
        <div role="status" className={isEmpty ? "px-4 py-8 text-center" : "sr-only"}>
          {isEmpty && (
            <>
              <p className="font-medium text-body">No results for “{text.trim().slice(0, 80)}”</p>
              <p className="mt-1 text-muted text-table">
                Search by the start of a batch ID or an address, the name of a payout, snapshot or allocation,
                a reference, metadata such as campaign:summer, a label or a request ID.
              </p>
            </>
          )}
          {isCurrent && first && counted(entries.length, "result", "results")}
          {!isCurrent && "Searching"}
        </div>
      )}
    </SearchDialog>
  );
}

const PAUSE_MS = 120;
const CHARS_MIN = 2;

/** Searches when typing pauses. `isCurrent`: the results belong to the current text. */
function useFind(text: string) {
  const wanted = text.trim().slice(0, SEARCH_CHARS_MAX);
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const enabled = wanted.length >= CHARS_MIN;
  const { data, error, isPlaceholderData, refetch } = useQuery(
    useTRPC().console.search.find.queryOptions(
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

/** Several actions may begin on the same page. */
const keyOf = ({ does, title }: Entry) => (typeof does === "string" ? `${does} ${title}` : title);

function PaletteItem({ entry, onSelect }: { entry: Entry; onSelect: () => void }) {
  const { icon: Icon, title, detail, exact } = entry;
  return (
    <SearchItem value={keyOf(entry)} onSelect={onSelect}>
      <Icon size={15} className="shrink-0 text-muted" />
      <span className="flex min-w-0 flex-1 items-baseline gap-x-3 max-sm:flex-col">
        <span className={clsx("max-w-full shrink-0 truncate", exact === "title" ? "mono" : "font-medium")}>
          {title}
        </span>
        {detail && (
          <span className={clsx("min-w-0 max-w-full truncate hint", exact === "detail" && "font-mono")}>
            {detail}
          </span>
        )}
      </span>
    </SearchItem>
  );
}

function FindError({ error, retry }: { error: unknown; retry: () => void }) {
  const { title, requestId } = problemOf(error);
  return (
    <div role="alert" className="flex items-center gap-3 border-line border-t px-4 py-3 text-table">
      <span className="min-w-0 flex-1">
        {title}.{requestId && <span className="text-muted"> Request ID {requestId}</span>}
      </span>
      <Button size="small" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}

const ChecksumWarning = () => (
  <p role="alert" className="flex items-start gap-2 border-line border-t px-4 py-2.5 text-overdue text-table">
    <TriangleAlert size={15} className="mt-0.5 shrink-0" />
    The checksum of this address does not match, so a character may be wrong. Compare it with its source.
  </p>
);
