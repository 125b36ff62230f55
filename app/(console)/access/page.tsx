import type { Metadata } from "next";
import { requireStaff } from "@/app/(console)/reads";
import { prefetcher } from "../../data/prefetcher";
import { StaffList } from "./staff/staff-list";

export const metadata: Metadata = { title: "Team" };

export default async function AccessPage() {
  await requireStaff("/access");
  const { caller, keys, read, hydrate } = await prefetcher();
  await read(keys.staff.list.queryKey(), () => caller.staff.list());
  return hydrate(<StaffList />);
}
