import type { StaffRole } from "@/server/trpc/context";

/** What each role may do, in words. */
export const ROLES = {
  viewer: { word: "Viewer", may: "Sees everything, changes nothing." },
  operator: { word: "Operator", may: "Also submits and cancels batches, and runs the finalizer." },
  admin: { word: "Admin", may: "Also manages contracts, tokens, points and staff." },
} as const satisfies Record<StaffRole, { word: string; may: string }>;
