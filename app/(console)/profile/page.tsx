import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { consoleCaller } from "@/server/trpc/caller";
import { queryKeys } from "../../data/prefetch";
import { makeQueryClient } from "../../data/query-client";
import { requireStaff } from "../require-staff";
import { ProfileView } from "./profile-view";

export const metadata: Metadata = { title: "Your profile" };

export default async function ProfilePage() {
  await requireStaff("/profile");
  const caller = await consoleCaller();
  const queryClient = makeQueryClient();
  await queryClient.prefetchQuery({
    queryKey: queryKeys(queryClient).console.staff.sessions.queryKey(),
    queryFn: () => caller.console.staff.sessions(),
    retry: false,
  });
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ProfileView />
    </HydrationBoundary>
  );
}
