import type { Metadata } from "next";
import { requireStaff } from "@/app/(console)/reads";
import { prefetcher } from "@/app/data/prefetcher";
import { JobList } from "./job-list";

export const metadata: Metadata = { title: "Bulk jobs" };

export default async function BulkJobsPage() {
  await requireStaff("/batches/jobs");
  const { caller, keys, read, hydrate } = await prefetcher();
  await read(keys.bulk.recent.queryKey(), () => caller.bulk.recent());
  return hydrate(<JobList />);
}
