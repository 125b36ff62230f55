import { SearchX } from "lucide-react";
import { ButtonLink } from "@/app/ui/button-link";
import { EmptyState } from "@/app/ui/empty-state";

export default function BatchNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="Batch not found">
      <p className="text-muted">Check the contract address and the batch ID in the link.</p>
      <ButtonLink href="/batches">View all batches</ButtonLink>
    </EmptyState>
  );
}
