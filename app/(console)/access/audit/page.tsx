import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "../../../data/prefetch";
import { makeQueryClient } from "../../../data/query-client";
import { requireStaff } from "../../require-staff";
import { AuditLog } from "./audit-log";
import { auditQuery, loadAuditParams, toAuditInput } from "./audit-params";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = loadAuditParams(await searchParams);
  await requireStaff(auditQuery("/access/audit", params));
  const caller = await consoleCaller();
  const queryClient = makeQueryClient();
  const input = toAuditInput(params);
  await queryClient.prefetchInfiniteQuery({
    queryKey: queryKeys(queryClient).console.audit.list.infiniteQueryKey(input),
    queryFn: () => caller.console.audit.list(input),
    initialPageParam: null,
    retry: false,
  });
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <AuditLog />
    </HydrationBoundary>
  );
}
