import type { Metadata } from "next";
import { prefetcher } from "@/app/data/prefetcher";
import { StaffList } from "./staff/staff-list";

export const metadata: Metadata = { title: "Team" };

export default async function AccessPage() {
  const { keys, read, hydrate } = await prefetcher();
  await read(keys.staff.list.queryKey());
  return hydrate(<StaffList />);
}
