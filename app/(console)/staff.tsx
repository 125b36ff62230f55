"use client";
import { createContext, type ReactNode, use } from "react";
import { useDraftsOf } from "@/app/ui/hooks";
import type { BatchLimits } from "@/terms/batch-limits";

export interface Staff {
  email: string;
  role: "viewer" | "operator" | "admin";
  isUnconfirmed: boolean;
  publicUrl: string;
  limits: BatchLimits;
  /** Which URLs this host sends webhooks to. */
  webhookUrls: string;
  /** Whether anyone can open a wallet's page. */
  walletPages: boolean;
}

const StaffContext = createContext<Staff | null>(null);

export function StaffProvider({ staff, children }: { staff: Staff; children: ReactNode }) {
  useDraftsOf(staff.email);
  return <StaffContext value={staff}>{children}</StaffContext>;
}

/** The signed-in user. The server checks permissions; the console only hides what it would refuse. */
export function useStaff(): Staff {
  const staff = use(StaffContext);
  if (!staff) throw new Error("useStaff is for screens behind a session");
  return staff;
}
