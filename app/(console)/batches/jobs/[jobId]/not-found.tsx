import { NotFound } from "@/app/ui/states";

export default function JobNotFound() {
  return (
    <NotFound title="Bulk job not found" href="/batches/jobs" link="View recent jobs">
      Check the ID in the link. Jobs are deleted 90 days after they end; the audit log keeps their changes.
    </NotFound>
  );
}
