import { SearchX } from "lucide-react";
import { ButtonLink } from "@/app/ui/button-link";
import { EmptyState } from "@/app/ui/empty-state";

export default function ContractNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="Contract not found">
      <p className="text-muted">
        Check the address in the link. A new contract must be registered by an admin first.
      </p>
      <ButtonLink href="/contracts">View all contracts</ButtonLink>
    </EmptyState>
  );
}
