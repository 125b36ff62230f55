import { SearchX } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";

export default function ContractNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="Contract not found">
      <p className="text-muted">
        Check the address in the link. A new contract must be registered by an admin first.
      </p>
      <Link href="/contracts" className={buttonLook()}>
        View all contracts
      </Link>
    </EmptyState>
  );
}
