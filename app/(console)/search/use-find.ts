"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { SEARCH_CHARS_MAX } from "@/server/search/search-limits";
import { useTRPC } from "../../data/trpc";

const PAUSE_MS = 120;
const CHARS_MIN = 2;

/** Searches when typing pauses. `isCurrent`: the results belong to the current text. */
export function useFind(text: string) {
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
