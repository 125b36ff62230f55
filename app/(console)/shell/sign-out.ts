"use client";

/** Ends the session and leads to the sign-in page. */
export async function leave(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ callbackUrl: "/sign-in" });
}
