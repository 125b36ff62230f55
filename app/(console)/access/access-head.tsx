import type { ReactNode } from "react";
import { TextLink } from "@/app/ui/button";
import { SwitchLinks } from "@/app/ui/switch-links";
import type { StaffRole } from "@/server/kernel/context";

const TABS = [
  ["/access", "Members"],
  ["/access/audit", "Audit log"],
] as const;

export const AccessHead = ({ here, action }: { here: (typeof TABS)[number][0]; action?: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-3 md:px-6">
    <h1 className="font-semibold text-title">Team</h1>
    <p className="hint">
      People who can sign in. Contract access tokens are on{" "}
      <TextLink href="/contracts">each contract’s page</TextLink>.
    </p>
    <SwitchLinks name="Team" chosen={here} options={TABS} hrefOf={String} />
    {action}
  </div>
);

export const ROLES = {
  viewer: { label: "Viewer", can: "Can view everything." },
  operator: {
    label: "Operator",
    can:
      "Can also submit, hold, cancel and take back batches, approve those of others, manage webhooks, " +
      "and run the finalizer.",
  },
  admin: { label: "Admin", can: "Can also manage contracts, tokens, points and team members." },
} as const satisfies Record<StaffRole, { label: string; can: string }>;
