"use client";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useCallback, useMemo } from "react";
import { useTRPC, useTRPCClient } from "../../../data/trpc";
import { type AuditParams, auditParams, toAuditInput } from "./audit-params";

const NO_FILTERS = {
  actor: null,
  action: null,
  target: null,
  request: null,
  from: null,
  to: null,
} satisfies {
  [Name in keyof AuditParams]: null;
};

/** The filters are in the URL, and Back undoes each change. */
export function useAuditParams() {
  const [params, setParams] = useQueryStates(auditParams, { history: "push" });
  const clearFilters = useCallback(() => void setParams(NO_FILTERS), [setParams]);
  const filtered = Object.values(params).some((value) => value !== null);
  return { params, setParams, clearFilters, filtered };
}

export function useAudit(params: AuditParams) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const input = toAuditInput(params);
  const query = useInfiniteQuery({
    queryKey: trpc.console.audit.list.infiniteQueryKey(input),
    queryFn: ({ pageParam, signal }) =>
      client.console.audit.list.query({ ...input, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages;
  const entries = useMemo(() => pages?.flatMap((page) => page.entries) ?? [], [pages]);
  return { query, entries };
}
