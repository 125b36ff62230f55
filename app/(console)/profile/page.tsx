import type { Metadata } from "next";
import { prefetcher } from "@/app/data/prefetcher";
import { ProfileView } from "./profile-view";

export const metadata: Metadata = { title: "Your profile" };

export default async function ProfilePage() {
  const { keys, read, hydrate } = await prefetcher();
  await read(keys.staff.sessions.queryKey());
  return hydrate(<ProfileView />);
}
