import { notify } from "@/app/ui/toast";

/** Ends this browser's session on the server. Stays on the page if that fails. */
export async function signOutHere(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  const reply = await signOut({ redirect: false, callbackUrl: "/sign-in" }).catch(() => undefined);
  const isSignedOut = reply?.url && !reply.url.includes("csrf=");
  if (isSignedOut) location.assign("/sign-in");
  else notify("error", "Could not sign out. Check your network connection, then try again.");
}
