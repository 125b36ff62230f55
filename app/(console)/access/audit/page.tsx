import type { Metadata } from "next";
import { requireStaff } from "@/app/(console)/reads";
import type { PageProps } from "@/app/data/page-props";
import { prefetcher } from "../../../data/prefetcher";
import { AuditLog } from "./audit-log";
import { auditQuery, loadAuditParams, toAuditInput } from "./audit-params";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditPage({ searchParams }: PageProps) {
  const params = loadAuditParams(await searchParams);
  await requireStaff(auditQuery("/access/audit", params));
  const { caller, keys, readPage, hydrate } = await prefetcher();
  const input = toAuditInput(params);
  await readPage(keys.audit.list.infiniteQueryKey(input), () => caller.audit.list(input));
  return hydrate(<AuditLog />);
}
