import type { StaffPerson } from "@/server/staff/console-schema";

/** Props of a dialog about one team member. */
export interface AboutPerson {
  person: StaffPerson;
  /** Whether it is the signed-in user. */
  own: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}
