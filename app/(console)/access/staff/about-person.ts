import type { StaffPerson } from "@/server/staff/console-schema";

/** What the question about one person is given. */
export interface AboutPerson {
  person: StaffPerson;
  /** Whether it is who asks. */
  own: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}
