import "server-only";
import { redirect } from "next/navigation";
import { staffSession } from "@/server/auth/staff-session";

/** Redirects to sign-in, and back to `path` afterwards. */
export async function requireStaff(path: string): Promise<void> {
  if (!(await staffSession())) redirect(`/sign-in?callbackUrl=${encodeURIComponent(path)}`);
}
