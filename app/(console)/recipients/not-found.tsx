import { SearchX } from "lucide-react";
import { ButtonLink } from "@/app/ui/button-link";
import { EmptyState } from "@/app/ui/empty-state";

export default function RecipientNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="Invalid address">
      <p className="text-muted">
        An address is 0x followed by 40 hex digits. If it has uppercase letters, its checksum must match, so
        check it for typos.
      </p>
      <ButtonLink href="/batches">View all batches</ButtonLink>
    </EmptyState>
  );
}
