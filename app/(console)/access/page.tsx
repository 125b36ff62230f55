import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "../../data/prefetch";
import { makeQueryClient } from "../../data/query-client";
import { requireStaff } from "../require-staff";
import { StaffList } from "./staff/staff-list";

export const metadata: Metadata = { title: "Team" };

export default async function AccessPage() {
  await requireStaff("/access");
  const caller = await consoleCaller();
  const queryClient = makeQueryClient();
  await queryClient.prefetchQuery({
    queryKey: queryKeys(queryClient).console.staff.list.queryKey(),
    queryFn: () => caller.console.staff.list(),
    retry: false,
  });
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <StaffList />
    </HydrationBoundary>
  );
}
