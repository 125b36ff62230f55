import { SearchX } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "../../../ui/button";
import { EmptyState } from "../../../ui/empty-state";

export default function ContractNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="This contract is not registered">
      <p className="text-muted">Check the address in the link. An admin registers a contract in the list.</p>
      <Link href="/contracts" className={buttonLook()}>
        All contracts
      </Link>
    </EmptyState>
  );
}
