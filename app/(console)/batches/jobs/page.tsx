import type { Metadata } from "next";
import { prefetcher } from "@/app/data/prefetcher";
import { JobList } from "./job-list";

export const metadata: Metadata = { title: "Bulk jobs" };

export default async function BulkJobsPage() {
  const { caller, keys, read, hydrate } = await prefetcher();
  await read(keys.bulk.recent.queryKey(), () => caller.bulk.recent());
  return hydrate(<JobList />);
}
