import type { StaffRole } from "@/server/kernel/context";

export const ROLES = {
  viewer: { label: "Viewer", can: "Can view everything." },
  operator: {
    label: "Operator",
    can: "Can also submit, hold, cancel and take back batches, approve those of others, manage webhooks, and run the finalizer.",
  },
  admin: { label: "Admin", can: "Can also manage contracts, tokens, points and team members." },
} as const satisfies Record<StaffRole, { label: string; can: string }>;
