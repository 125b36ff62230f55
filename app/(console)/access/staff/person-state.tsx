import { Ban, Check, Mail, TriangleAlert } from "lucide-react";
import type { StaffPerson } from "@/server/staff/console-schema";
import { Badge } from "../../../ui/badge";

export function PersonState({ person }: { person: StaffPerson }) {
  if (person.state === "disabled") {
    return (
      <Badge tone="cancelled" icon={Ban}>
        Disabled
      </Badge>
    );
  }
  if (person.state === "active") {
    return (
      <Badge tone="finalized" icon={Check}>
        Active
      </Badge>
    );
  }
  return person.linkExpiresAt ? (
    <Badge tone="pending" icon={Mail}>
      Invited
    </Badge>
  ) : (
    <Badge tone="overdue" icon={TriangleAlert}>
      Link expired
    </Badge>
  );
}
