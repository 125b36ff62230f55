"use client";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { pagedQuery } from "../../../data/paged-query";
import { useTRPC, useTRPCClient } from "../../../data/trpc";
import { type AuditParams, auditParams, toAuditInput } from "./audit-params";

/** The filters are in the URL, and Back undoes each change. */
export function useAuditParams() {
  const [params, setParams] = useQueryStates(auditParams, { history: "push" });
  const filtered = Object.values(params).some((value) => value !== null);
  return { params, setParams, clearFilters: () => void setParams(null), filtered };
}

export function useAudit(params: AuditParams) {
  const keys = useTRPC().console.audit.list;
  const { list } = useTRPCClient().console.audit;
  const input = toAuditInput(params);
  const query = useInfiniteQuery({
    ...pagedQuery(keys.infiniteQueryKey(input), (cursor, options) =>
      list.query({ ...input, cursor }, options),
    ),
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages;
  const entries = useMemo(() => pages?.flatMap((page) => page.entries) ?? [], [pages]);
  return { query, entries };
}
