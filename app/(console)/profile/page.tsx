import type { Metadata } from "next";
import { requireStaff } from "@/app/(console)/reads";
import { prefetcher } from "../../data/prefetcher";
import { ProfileView } from "./profile-view";

export const metadata: Metadata = { title: "Your profile" };

export default async function ProfilePage() {
  await requireStaff("/profile");
  const { caller, keys, read, hydrate } = await prefetcher();
  await read(keys.staff.sessions.queryKey(), () => caller.staff.sessions());
  return hydrate(<ProfileView />);
}
