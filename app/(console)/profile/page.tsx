import type { Metadata } from "next";
import { prefetcher } from "@/app/data/prefetcher";
import { ProfileView } from "./profile-view";

export const metadata: Metadata = { title: "Your profile" };

export default async function ProfilePage() {
  const { caller, keys, read, hydrate } = await prefetcher();
  await read(keys.staff.sessions.queryKey(), () => caller.staff.sessions());
  return hydrate(<ProfileView />);
}
