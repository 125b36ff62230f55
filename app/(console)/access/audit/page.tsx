import type { Metadata } from "next";
import type { PageProps } from "@/app/data/page-props";
import { prefetcher } from "@/app/data/prefetcher";
import { AuditLog } from "./audit-log";
import { loadAuditParams, toAuditFilters } from "./audit-params";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditPage({ searchParams }: PageProps) {
  const input = toAuditFilters(loadAuditParams(await searchParams));
  const { keys, readPage, hydrate } = await prefetcher();
  await readPage(keys.audit.list.infiniteQueryKey(input));
  return hydrate(<AuditLog />);
}
