import { SearchX } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "@/app/ui/button-look";
import { EmptyState } from "@/app/ui/empty-state";

export default function JobNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="Bulk job not found">
      <p className="text-muted">
        Check the ID in the link. Jobs are deleted 90 days after they end; the audit log keeps their changes.
      </p>
      <Link href="/batches/jobs" className={buttonLook()}>
        View recent jobs
      </Link>
    </EmptyState>
  );
}
