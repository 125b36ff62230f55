import { SearchX } from "lucide-react";
import { ButtonLink } from "@/app/ui/button-link";
import { EmptyState } from "@/app/ui/empty-state";

export default function JobNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="Bulk job not found">
      <p className="text-muted">
        Check the ID in the link. Jobs are deleted 90 days after they end; the audit log keeps their changes.
      </p>
      <ButtonLink href="/batches/jobs">View recent jobs</ButtonLink>
    </EmptyState>
  );
}
