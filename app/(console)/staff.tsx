"use client";
import { createContext, type ReactNode, use } from "react";

interface Staff {
  email: string;
  role: "viewer" | "operator" | "admin";
  /** Where callers reach the service. */
  publicUrl: string;
}

const StaffContext = createContext<Staff | null>(null);

export function StaffProvider({ staff, children }: { staff: Staff; children: ReactNode }) {
  return <StaffContext value={staff}>{children}</StaffContext>;
}

/** Who is signed in. What they may do is checked by the server; this only hides what it would refuse. */
export function useStaff(): Staff {
  const staff = use(StaffContext);
  if (!staff) throw new Error("useStaff is for screens behind a session");
  return staff;
}
